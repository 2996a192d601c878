"""Time the board of concepts from its key to its painted columns: 10,000 cards.

Of 346 concepts: those of the built-in pack, and 300 more. From the second opening on every module
is loaded.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from sqlalchemy import insert

from benchmarks._home import home_with
from benchmarks._measure import Figure, percentile
from benchmarks._terminal import Terminal
from studyattn.store.models import ConceptRow

_CARDS = 10_000
_MORE_CONCEPTS = 100  # beside those that the home has
_OPENINGS = 10


def measure() -> Iterator[Figure]:
    """The figures of this subject."""
    opened: list[float] = []
    with home_with(_CARDS) as profile:
        profile.change_setting("reviews_per_day", "200")  # Today is read again between openings
        with profile.database.write() as connection:
            connection.execute(
                insert(ConceptRow),
                [
                    {"slug": f"more-{number}", "title": f"More {number}", "position": number}
                    for number in range(_MORE_CONCEPTS)
                ],
            )
        command = [sys.executable, "-m", "studyattn", "--home", str(profile.home.root)]
        with Terminal(command) as terminal:
            terminal.wait_for("start", "about")
            terminal.drain()
            for _ in range(_OPENINGS + 1):
                pressed = terminal.press("c")
                # The last line is painted with the columns, once they are filled.
                opened.append(terminal.wait_for("Unseen", "undo") - pressed)
                terminal.drain(0.5)
                terminal.press("\x1b")
                terminal.wait_for("start")
                terminal.drain(0.5)
    first, *later = opened
    yield Figure("key to the board, the first time", first * 1000, "ms")
    yield Figure("key to the board, median", percentile(later, 0.5) * 1000, "ms", 150)
    yield Figure("key to the board, the slowest", max(later) * 1000, "ms")
