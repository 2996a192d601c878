"""Time the start of a command, beside a bare start of Python."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from benchmarks._measure import Figure, medians


def measure() -> Iterator[Figure]:
    """The figures of this subject."""

    def start(*arguments: str) -> None:
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)

    bare, version, overview = medians(
        [
            lambda: start("-c", "pass"),
            lambda: start("-m", "studyattn", "--version"),
            lambda: start("-m", "studyattn", "--help"),
        ],
        15,
    )
    yield Figure("studyattn --version ÷ python -c pass", version / bare, "×", 5)
    yield Figure("studyattn --help ÷ python -c pass", overview / bare, "×", 5)
