"""Choose and shorten the names of cases where a report has no room for all."""

from __future__ import annotations

from collections.abc import Sequence

_CONDITIONS = 3
"""Conditions that a case is named by, where it joins more."""


def simplest(names: Sequence[str], most: int) -> list[str]:
    """Return up to `most` names of cases: those that join fewest conditions, in the same order."""
    places = sorted(range(len(names)), key=lambda place: names[place].count(","))[:most]
    return [names[place] for place in sorted(places)]


def short(name: str) -> str:
    """Return a case's name with its first conditions, and a sign for the others."""
    conditions = name.split(", ")
    return name if len(conditions) <= _CONDITIONS else ", ".join([*conditions[:_CONDITIONS], "…"])
