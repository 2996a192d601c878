"""Time a key press until it shows, in the running app on 100,000 cards, in a pseudo-terminal.

Rating a card includes its transaction: the next card is painted only after the answer is on disk.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from benchmarks._home import home_with
from benchmarks._measure import Figure, percentile
from benchmarks._terminal import Terminal

_CARDS = 100_000
_ANSWERS = 100


def measure() -> Iterator[Figure]:
    """The figures of this subject."""
    revealed: list[float] = []
    answered: list[float] = []
    with home_with(_CARDS) as profile:
        command = [sys.executable, "-m", "studyattn", "--home", str(profile.home.root)]
        with Terminal(command) as terminal:
            terminal.wait_for("start", "about")
            terminal.drain()
            terminal.press(" ")
            terminal.wait_for("show answer", "what it is")
            for _ in range(_ANSWERS):
                terminal.drain()
                pressed = terminal.press(" ")
                revealed.append(terminal.wait_for("Because", "good") - pressed)
                terminal.drain()
                pressed = terminal.press("3")
                answered.append(terminal.wait_for("show answer", "what it is") - pressed)
    yield Figure("key to revealed answer, median", percentile(revealed, 0.5) * 1000, "ms")
    yield Figure("key to revealed answer, p95", percentile(revealed, 0.95) * 1000, "ms", 50)
    yield Figure("rating to painted next card, median", percentile(answered, 0.5) * 1000, "ms")
    yield Figure("rating to painted next card, p95", percentile(answered, 0.95) * 1000, "ms", 50)
