"""Files with which other services grade: a GitHub workflow, a Gradescope autograder, a container.

`DRILLS` in them is replaced by the drills of the assignment.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from studyattn.errors import InputError

KINDS = {
    "github": {"grade.yml": ".github/workflows/grade.yml"},
    "gradescope": {"setup.sh": "setup.sh", "run_autograder": "run_autograder"},
    "container": {"Containerfile": "Containerfile"},
}
"""For each kind, its files and where they are written."""


def write_template(kind: str, drills: Sequence[str], folder: Path) -> list[Path]:
    """Write the files of a kind into `folder`, and return them.

    InputError when one is there already, or cannot be written.
    """
    source = Path(__file__).parent / kind
    files = {source / name: folder / place for name, place in KINDS[kind].items()}
    for target in files.values():
        if target.exists():
            raise InputError(
                "the file already exists and is not overwritten",
                where=str(target),
                advice="Choose another folder with --dir.",
            )
    try:
        for name, target in files.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(name.read_text("utf-8").replace("DRILLS", " ".join(drills)), "utf-8")
            shutil.copymode(name, target)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(folder)) from error
    return list(files.values())
