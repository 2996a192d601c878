"""The labelled submissions of `tests/submissions`, each as a file."""

from __future__ import annotations

import atexit
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from studyattn.grading.corpus import unpacked

FOLDER = Path(__file__).parent / "submissions"

_open = ExitStack()
atexit.register(_open.close)


@cache
def submissions(drill: str) -> Path:
    """Return a folder with `right` and `wrong` submissions to a drill, until the process ends."""
    return _open.enter_context(unpacked(FOLDER / drill))
