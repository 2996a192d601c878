"""What days without a share of the work mean for a row of days: for what waits, and for a streak.

Pure. Which days these are is a setting (`memory.settings.SchedulingSettings.share`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Final

_LONGEST: Final = 400  # days without a review that are looked at: more than a vacation has


def after_vacation(counts: Sequence[int], vacation: Sequence[bool]) -> list[int]:
    """Return what is asked on each day, given what comes due on it and whether it is of a vacation.

    What comes due in a vacation waits for the first day after it. If that day is not among these,
    it is not counted.
    """
    asked = [0] * len(counts)
    waiting = 0
    for place, (number, away) in enumerate(zip(counts, vacation, strict=True)):
        waiting += number
        if not away:
            asked[place], waiting = waiting, 0
    return asked


def continues_row(earlier: date, later: date, share: Callable[[date], float]) -> bool:
    """Return whether every day between two days of study was one without a share of the work."""
    between = range(1, (later - earlier).days)
    return not any(share(earlier + timedelta(days=ahead)) for ahead in between[:_LONGEST])
