"""Where one learner's things live on disk. Paths only: nothing here opens or reads a file.

The order is `--home DIR`, then `STUDYATTN_HOME`, then the platform's data directory.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that holds everything of one learner."""

    root: Path

    @property
    def database(self) -> Path:
        return self.root / "studyattn.db"

    @property
    def backups(self) -> Path:
        return self.root / "backups"

    @property
    def drills(self) -> Path:
        """Where `drill start` writes submissions unless told otherwise."""
        return self.root / "drills"


def find_home(given: Path | None = None, environment: Mapping[str, str] | None = None) -> Home:
    """The learner's home. Creates nothing."""
    if given is not None:
        return Home(given.expanduser().absolute())
    named = (os.environ if environment is None else environment).get("STUDYATTN_HOME")
    if named:
        return Home(Path(named).expanduser().absolute())
    import platformdirs

    return Home(Path(platformdirs.user_data_dir("studyattn", appauthor=False)))
