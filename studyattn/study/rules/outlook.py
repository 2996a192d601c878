"""The days on which items are first asked, as ranges: a few simulations of what may be. Pure.

What is not known of a learner is how quickly they answer cards and write drills, and how well they
recall. Each simulation takes one value of each from what is thought likely, and each value stands
in one simulation, so that few of them cover all. Between them the days differ as they may for the
learner; `between` says where eight of ten days should fall.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean, stdev
from typing import Final

from studyattn.study.rules.evenings import Evenings
from studyattn.study.rules.simulation import Learner

HORIZON: Final = 365
"""Days that are looked ahead. What comes later has no day."""

_QUANTILES: Final = (-1.28, -0.52, 0.0, 0.52, 1.28)
_ORDERS: Final = ((0, 1, 2, 3, 4), (2, 4, 1, 0, 3), (3, 0, 1, 4, 2))
"""The quantile of drills' times, cards' times and forgetting in each simulation."""

_WIDTH: Final = 1.5
"""Standard deviations to each side of the mean of so few simulations that hold eight of ten."""

_FORECAST: Final = 0.9
_RECALL_SPREAD: Final = 0.06  # of learners' shares recalled, where 90 percent are forecast


@dataclass(frozen=True, slots=True)
class Recall:
    """The share that a learner recalls where 90 percent are forecast, and how sure that is."""

    share: float
    doubt: float  # standard deviation

    @classmethod
    def of(cls, forecasts: Sequence[float], recalled: int) -> Recall:
        """Return what so many of the reviews with these forecasts being recalled shows."""
        prior = _FORECAST * (1 - _FORECAST) / _RECALL_SPREAD**2
        wanted = recalled + prior * _FORECAST
        low, high = 0.1, 5.0  # powers of the forecasts, between which the one is that gives as many
        for _ in range(12):
            power = (low + high) / 2
            if sum(each**power for each in forecasts) + prior * _FORECAST**power > wanted:
                low = power
            else:
                high = power
        share = _FORECAST**high
        return cls(share, math.sqrt(share * (1 - share) / (len(forecasts) + prior + 1)))

    def forgets(self, off: float = 0.0) -> float:
        """Return `Learner.forgets` if the share is so many standard deviations lower."""
        share = min(0.99, max(0.3, self.share - off * self.doubt))
        return math.log(share) / math.log(_FORECAST)


def likely_learners(learner: Learner, recall: Recall) -> list[Learner]:
    """Return the learners that this one may be."""
    return [
        replace(
            learner,
            pace=learner.pace.varied(cards=_QUANTILES[cards], drills=_QUANTILES[drills]),
            forgets=recall.forgets(_QUANTILES[forgets]),
        )
        for drills, cards, forgets in zip(*_ORDERS, strict=True)
    ]


def first_days(
    simulate: Callable[[Learner, int], Evenings], learners: Sequence[Learner]
) -> list[Mapping[str, int]]:
    """Return for each learner the day on which each new item is first asked; 0 is today.

    `simulate` begins a simulation of a learner with a seed. What comes too late is left out.
    """
    found: list[Mapping[str, int]] = []
    for seed, learner in enumerate(learners):
        way = simulate(learner, seed)
        for day in range(HORIZON):
            if way.all_begun:
                break
            way.study(day)
        found.append(way.first)
    return found


def between(days: Sequence[float]) -> tuple[int, int | None]:
    """Return the first and last day that are likely, of the days in each simulation.

    A day that is infinite is later than was looked; with one of them the range has no last day.
    """
    known = [math.log1p(day) for day in days if day != math.inf]
    if not known:
        return HORIZON, None
    middle = mean(known)
    spread = _WIDTH * (stdev(known) if len(known) > 1 else 0.0)
    soonest = max(0, math.floor(math.expm1(middle - spread)))
    if len(known) < len(days):
        return soonest, None
    return soonest, math.ceil(math.expm1(middle + spread))


def reached(days: Sequence[Mapping[str, int]], guids: Collection[str]) -> list[float]:
    """Return the day in each simulation on which the last of some new items was asked."""
    return [max((each.get(guid, math.inf) for guid in guids), default=0) for each in days]
