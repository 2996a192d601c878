"""Forecasts that the model would have made of each review, from the logs of whole items.

For figures of calibration over a long log: each item's reviews go through the library once, and
each review on a later day than the one before is forecast from the memory before it. The forecasts
are those of `fit`, which needs a history of its own for each review.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

import fsrs_rs_python as fsrs

from studyattn.memory.fit import Bin, bin_of
from studyattn.memory.intervals import retrievability
from studyattn.memory.scheduler import LIBRARY_REVIEWS
from studyattn.memory.state import Rating

Review = tuple[str, int, int]
"""An item, the number of a learner day, and the number of a rating."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Reviews on later days than the ones before (n), of the days that are looked at.

    Attributes:
        recalled: what came of each (n).
        bins: the group that each counts with (n), as `fit.figures` has them.
        days: since the review before (n).
        histories: all reviews of each item that has any of these.
        places: for each history, where the reviews before these are in it.
    """

    recalled: list[bool] = field(default_factory=list)
    bins: list[Bin] = field(default_factory=list)
    days: list[int] = field(default_factory=list)
    histories: list[fsrs.FSRSItem] = field(default_factory=list)
    places: list[list[int]] = field(default_factory=list)

    def forecasts(self, parameters: Sequence[float]) -> list[float]:
        """Return the probability of recall of each (n), knowing only what was before."""
        memories = fsrs.FSRS(list(parameters)).historical_memory_state_batch(self.histories)
        stabilities = (
            states[place].stability
            for states, places in zip(memories, self.places, strict=True)
            for place in places
        )
        return [
            retrievability(stability, days, parameters)
            for stability, days in zip(stabilities, self.days, strict=True)
        ]


def outcomes_of(reviews: Iterable[Review], first: int | None) -> Outcomes:
    """Return the outcomes from a learner day on; reviews in effect are by item and time."""
    found = Outcomes()
    again = Rating.AGAIN.value
    for _, own in groupby(reviews, itemgetter(0)):
        history: list[fsrs.FSRSReview] = []
        places: list[int] = []
        on_later_days = lapses = day = 0
        for _guid, today, rating in own:
            days = today - day if history and today > day else 0
            history.append(LIBRARY_REVIEWS[rating][days])
            day = today
            if days == 0:
                continue
            on_later_days += 1
            if first is None or today >= first:
                places.append(len(history) - 2)
                found.days.append(days)
                found.recalled.append(rating != again)
                found.bins.append(bin_of(days, on_later_days + 1, lapses))
            lapses += rating == again
        if places:
            found.histories.append(fsrs.FSRSItem(history))
            found.places.append(places)
    return found
