"""The memory that a program states beside a card: interval, ease, the day it is due."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

from studyattn.exchange.documents.draft import LearnedBefore

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MOST_DAYS: Final = 36_500.0


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
    if due is None:
        return None
    if last is not None:
        interval = max(1.0, min(interval, float((due - last).days)))
    return LearnedBefore(max(due, date.min + timedelta(1)), interval, ease * 1000)


def _day(text: str) -> date | None:
    found = _DAY.search(text)
    try:
        return date.fromisoformat(found[0]) if found else None
    except ValueError:  # 2026-13-45
        return None
