"""Puts the commit that a wheel or an sdist is made from into it, for `studyattn --version`."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "studyattn/commit.txt"


class CommitHook(BuildHookInterface):  # type: ignore[type-arg]  # hatchling finds it by its base
    """Adds `studyattn/commit.txt`; a wheel that is made from an sdist keeps the sdist's."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        git = ("git", "-C", self.root, "rev-parse", "HEAD")
        asked = subprocess.run(git, capture_output=True, text=True, check=False)
        if asked.returncode == 0 and (root / ".git").exists():
            file = root / "build" / "commit.txt"
            file.parent.mkdir(exist_ok=True)
            file.write_text(asked.stdout, "ascii")
            build_data["force_include"][str(file)] = NAME
        else:
            build_data["artifacts"].append(f"/{NAME}")
