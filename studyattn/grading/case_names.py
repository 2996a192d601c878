"""Which of many cases are named where a report has no room for all."""

from __future__ import annotations

from collections.abc import Sequence


def simplest(names: Sequence[str], most: int) -> list[str]:
    """Return up to `most` names of cases: those that join fewest conditions, in the same order."""
    places = sorted(range(len(names)), key=lambda place: names[place].count(","))[:most]
    return [names[place] for place in sorted(places)]
