"""The days to come: what comes due on each, what waits for a vacation to end, a backlog. Pure.

A plan that spreads a backlog over days changes no due date: the cards stay overdue, and a day's
queue takes some of them, the relatively latest first (`memory.order`). What a day still asks
follows from what waits and the plan alone. Which days have no share of the work is a setting
(`memory.settings.SchedulingSettings.share`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Final, NamedTuple, Self

HORIZON: Final = 365
"""Days that are looked ahead; over as many a backlog may be spread."""
_FREE: Final = 1000  # days that are looked at for one with a share
_LONGEST: Final = 400  # days without a review that are looked at: more than a vacation has


def count_by_day(
    dues: Iterable[tuple[datetime, int]], first: date, days: int, day_of: Callable[[datetime], date]
) -> list[int]:
    """Return how many items come due on each of so many days; what is overdue counts on `first`.

    `dues` are instants with numbers of items, `day_of` returns the learner day of an instant.
    """
    counts = [0] * days
    for due, number in dues:
        ahead = max(0, (day_of(due) - first).days)
        if ahead < days:
            counts[ahead] += number
    return counts


def after_vacation(counts: Sequence[int], vacation: Iterable[bool]) -> list[int]:
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


class BacklogPlan(NamedTuple):
    """The plan that the learner chose: cards due before an instant are spread over so many days."""

    first: date
    days: int  # of study: days without a share of the work do not count
    before: datetime  # aware, UTC; cards in review that came due earlier are the backlog
    cards: int  # that waited when the plan was made

    def stored(self) -> dict[str, object]:
        """Return the plan as JSON."""
        before = self.before.astimezone(UTC).isoformat()
        return {
            "first": self.first.isoformat(),
            "days": self.days,
            "before": before,
            "cards": self.cards,
        }

    @classmethod
    def read(cls, value: object) -> Self | None:
        """Return the plan of stored JSON; None for anything else."""
        if not isinstance(value, Mapping):
            return None
        try:
            plan = cls(
                date.fromisoformat(value["first"]),
                int(value["days"]),
                datetime.fromisoformat(value["before"]),
                int(value["cards"]),
            )
        except (KeyError, TypeError, ValueError):
            return None
        sound = 0 < plan.days <= HORIZON and plan.cards >= 0 and plan.before.tzinfo is not None
        return plan if sound else None


def spread_over(
    plan: BacklogPlan, waiting: int, today: date, share: Callable[[date], float]
) -> tuple[tuple[date, int], ...]:
    """Return the plan's days from today on, each with how many of the `waiting` cards it asks.

    By the end of each day as many are left as if every day so far had asked the same number; so a
    day that was missed is made up for on the next one. Empty when the plan is over.
    """
    ahead = (plan.first + timedelta(days=number) for number in range(_FREE))
    days = list(islice((day for day in ahead if share(day) > 0), plan.days))
    asked: list[tuple[date, int]] = []
    for place, day in enumerate(days, start=1):
        if day >= today:
            left = plan.cards * (plan.days - place) // plan.days
            asked.append((day, max(0, waiting - left)))
            waiting = min(waiting, left)
    return tuple(asked)


def with_backlog(
    counts: Sequence[int], first: date, waiting: int, spread: Sequence[tuple[date, int]]
) -> list[int]:
    """Return what is asked on each day from `first`, given the counts without a plan.

    There the waiting cards are on the first day; a plan that is over, or none, leaves them there.
    """
    if not spread:
        return list(counts)
    asked = [counts[0] - waiting, *counts[1:]]
    for day, number in spread:
        place = (day - first).days
        if place < len(asked):
            asked[place] += number
    return asked


def suggested_days(seconds: float, budget: float) -> int:
    """Return over how many days to spread so many seconds of work, half of each day's budget.

    `budget` is in seconds a day; 0 is none, and counts as twenty minutes.
    """
    return min(HORIZON, max(2, math.ceil(2 * seconds / (budget or 1200))))
