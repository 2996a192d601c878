"""Time a key press until it shows, while a submission runs that never ends.

The running app in a pseudo-terminal with a real worker. Each key is typed into the drill's code and
waited for. The submission is handed in again before the sandbox's ten seconds have passed.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks._measure import Figure, percentile
from benchmarks._terminal import Terminal
from studyattn.home import Home

_ROUNDS = 8
_KEYS = 15
_LONGEST_ROUND = 6.0  # seconds; keys pressed later might meet a submission that was ended
_DRILL = "dot-product"  # the first of the list
_ENDLESS = "# backend: numpy\n\n\ndef dot_product(a, b):\n    while True:\n        a = a + 0\n"


def measure() -> Iterator[Figure]:
    """The figures of this subject."""
    with tempfile.TemporaryDirectory(prefix="studyattn-benchmark-") as folder:
        home = Home(Path(folder))
        home.drills.mkdir(parents=True)
        (home.drills / f"{_DRILL}.py").write_text(_ENDLESS, encoding="utf-8")
        command = [sys.executable, "-m", "studyattn", "--home", str(home.root)]
        with Terminal(command) as terminal:
            terminal.wait_for("start", "browse the concepts")
            terminal.drain()
            terminal.press("d")
            terminal.wait_for("drills passed")
            terminal.drain()
            terminal.press("\r")
            terminal.wait_for("0/3")
            terminal.drain()
            terminal.press("1")
            terminal.wait_for("other keys")
            waits = [wait for _ in range(_ROUNDS) for wait in _round(terminal)]
    yield Figure("keys pressed while a submission never ends", len(waits), "")
    yield Figure("key to painted letter, median", percentile(waits, 0.5) * 1000, "ms")
    yield Figure("key to painted letter, p95", percentile(waits, 0.95) * 1000, "ms", 100)
    yield Figure("key to painted letter, slowest", max(waits) * 1000, "ms")


def _round(terminal: Terminal) -> Iterator[float]:
    """Hand it in, type a comment line while it runs, end it."""
    terminal.press("\x13")
    terminal.wait_for("grading")
    began = time.perf_counter()
    for letter in "#" + "QZ" * (_KEYS // 2):
        if time.perf_counter() - began > _LONGEST_ROUND:
            break
        terminal.drain()
        pressed = terminal.press(letter)
        yield terminal.wait_for(letter) - pressed
    terminal.press("\r")
    terminal.drain()
    terminal.press("\x1b")
    terminal.wait_for("nothing was recorded")
    terminal.drain()
