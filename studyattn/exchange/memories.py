"""The memory that another program has of a card: when it is due, interval and ease. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final


@dataclass(frozen=True, slots=True)
class LearnedBefore:
    """The memory of a card, as the program that wrote the document schedules it."""

    due: date
    interval: float
    """Days from the last review to `due`."""
    ease: float
    """SM-2's, in thousandths: 2500 is usual."""


_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MOST_DAYS: Final = 36_500.0
_LEAST_EASE: Final = 1300.0
_MOST_EASE: Final = 99_990.0
_FIRST_DAY: Final = date.min + timedelta(1)


def memory_of(said: Mapping[str, str], names: Mapping[str, str]) -> LearnedBefore | None:
    """Return the memory that the fields of a card state; None for a new card.

    `names` are what the program calls the interval, the ease and the days of a card. Where a lapse
    has a next day without an interval, the days between the last review and that day count.
    """
    try:
        interval = float(said[names["interval"]])
        ease = float(said[names["ease"]])
    except (KeyError, ValueError):
        return None
    if not 0 < interval <= _MOST_DAYS or not 1 <= ease <= 10:
        return None
    due, last = _day(said.get(names["due"], "")), _day(said.get(names.get("last", ""), ""))
    interval = max(1.0, interval)
    if due is None and last is not None:
        due = date.fromordinal(min(last.toordinal() + round(interval), date.max.toordinal()))
    if due is not None and last is not None:
        interval = min(interval, float((due - last).days))
    return learned_before(due, interval, ease * 1000)


def learned_before(due: object, interval: float, ease: float) -> LearnedBefore | None:
    """Return a memory within its bounds; None where the day it is due is none."""
    day = _day(due)
    if day is None:
        return None
    ease = min(max(ease, _LEAST_EASE), _MOST_EASE)
    return LearnedBefore(max(day, _FIRST_DAY), min(max(interval, 1.0), _MOST_DAYS), ease)


def _day(value: object) -> date | None:
    """Return a day that is written out, or a moment in milliseconds; None for anything else."""
    try:
        if isinstance(value, str) and (found := _DAY.search(value)):
            return date.fromisoformat(found[0])
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value / 1000, UTC).date()
    except (ValueError, OverflowError, OSError):  # 2026-13-45
        return None
    return value if isinstance(value, date) else None
