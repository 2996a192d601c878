"""The first frame of the app, beside that of an empty Textual app.

Both are started as commands in a pseudo-terminal; a frame is there when the last line of the screen
has been written for the first time.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks._measure import Figure
from benchmarks._terminal import LINES, Terminal

_TIMES = 15
EMPTY_APP = "from textual.app import App\nApp().run()"
FIRST_FRAME = f"\x1b[{LINES};1H"
"""What is written for the last line of a screen."""


def measure() -> Iterator[Figure]:
    """The figures of this subject."""
    with tempfile.TemporaryDirectory(prefix="studyattn-benchmark-") as home:
        ours = [sys.executable, "-m", "studyattn", "--home", home]
        # The first start makes the database; every later one finds it.
        with Terminal(ours) as terminal:
            terminal.wait_for("space")
        empty = [sys.executable, "-c", EMPTY_APP]
        taken: dict[str, list[float]] = {"ours": [], "empty": []}
        for _ in range(_TIMES):
            taken["empty"].append(_seconds(empty))
            taken["ours"].append(_seconds(ours))
    medians = {name: statistics.median(each) for name, each in taken.items()}
    yield Figure("first frame of the app", medians["ours"] * 1000, "ms")
    yield Figure("first frame of an empty Textual app", medians["empty"] * 1000, "ms")
    yield Figure("first frame ÷ empty Textual app", medians["ours"] / medians["empty"], "×", 1.3)


def _seconds(command: Sequence[str]) -> float:
    with Terminal(command, {"PYTHONPATH": str(Path.cwd())}) as terminal:
        return terminal.wait_for(FIRST_FRAME) - terminal.started
