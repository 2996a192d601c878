"""The places of one learner's things. Places only: nothing here opens, reads or connects.

The order is `--home DIR`, then `STUDYATTN_HOME`, then the platform's data directory. The database
is a file there, unless `--db` or `STUDYATTN_DB` says that it is on a server; drills' files, backups
and what belongs to the machine stay in the home.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from studyattn.errors import InputError

if TYPE_CHECKING:
    from studyattn.address import ServerAddress


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that holds everything of one learner."""

    root: Path
    server: ServerAddress | None = None  # where the database is, when it is no file of the home
    config: Path | None = field(default=None, compare=False)
    """The file in which the learner keeps settings (`study.config_file`), if it is looked for."""

    @property
    def database(self) -> Path:
        """The database file, which is not used when there is a server."""
        return self.root / "studyattn.db"

    @property
    def database_shown(self) -> str:
        """Return the place of the database for people, never with a password."""
        return str(self.server or self.database)

    @property
    def backups(self) -> Path:
        return self.root / "backups"

    @property
    def drills(self) -> Path:
        """Return the folder in which `drill start` writes submissions unless told otherwise."""
        return self.root / "drills"

    @property
    def counterexamples(self) -> Path:
        """Questions that code failed in a deep pass; later attempts are asked them, too."""
        return self.root / "counterexamples"

    @property
    def media(self) -> Path:
        """Return the folder of the pictures and sounds of cards (`store.media`)."""
        return self.root / "media"

    @property
    def models(self) -> Path:
        """Return the folder of the models that the learner trained (`study.practice.gpt`)."""
        return self.root / "models"

    @property
    def packs(self) -> Path:
        """Return the folder of the packs that the learner added, one subfolder each."""
        return self.root / "packs"


def find_home(
    given: Path | None = None,
    environment: Mapping[str, str] | None = None,
    *,
    database: str | None = None,
    learner: str | None = None,
) -> Home:
    """The learner's home. Creates nothing.

    `database` is the address of a server, `learner` whose things there are meant. Raises InputError
    for an address that is none, and for a learner without a server.
    """
    environment = os.environ if environment is None else environment
    named = database or environment.get("STUDYATTN_DB")
    root, config = _root(given, environment), _config(environment)
    if named:
        from studyattn.address import read_address

        whose = learner or environment.get("STUDYATTN_LEARNER")
        return Home(root, read_address(named, whose, environment), config)
    if learner:
        raise InputError(
            "--learner needs a shared database",
            where="--learner",
            advice="Name the database with --db, or choose a home with --home.",
        )
    return Home(root, config=config)


def _config(environment: Mapping[str, str]) -> Path:
    """The file of settings, also on macOS where people who keep dotfiles have theirs."""
    named = Path(environment.get("XDG_CONFIG_HOME", ""))
    folder = named if named.is_absolute() else Path("~/.config").expanduser()
    return folder / "studyattn" / "config.toml"


def _root(given: Path | None, environment: Mapping[str, str]) -> Path:
    if given is not None:
        return given.expanduser().absolute()
    if named := environment.get("STUDYATTN_HOME"):
        return Path(named).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("studyattn", appauthor=False))
