"""The learner's own model parameters, and the evidence whether they are better than the defaults.

Parameters are fitted on the earlier part of the log and judged, beside the defaults and beside a
forecast that always says the average, on the later part that they have not seen. If they win they
are fitted again on all of it.

Figures: log loss (mean of −ln of the probability given to what happened), and RMSE(bins): reviews
are grouped by interval, number of reviews and lapses, in steps that grow; of each group the mean
forecast minus the share recalled, and of these the root mean square, weighted by the groups' sizes.
All reviews count alike. Reviews, forecasts and groups are those of Anki's evaluation, which differs
in one thing: it weighs review i of n, in the order of time, by ¼ + ¾ (i / (n − 1))³.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from itertools import groupby, pairwise
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple

import fsrs_rs_python as fsrs

from studyattn.grouping import grouped
from studyattn.memory.intervals import retrievability
from studyattn.memory.log import LoggedReview, effective_reviews
from studyattn.memory.scheduler import LIBRARY_REVIEWS
from studyattn.memory.settings import DEFAULT_PARAMETERS, SchedulingSettings
from studyattn.memory.state import MemoryStart, Rating

EDGES: Final = (0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
"""Probabilities at which the bins begin and end; a forecast of 1 is in the last one."""

FEWEST_REVIEWS = 500  # forecasts in the log; with fewer the later part decides by luck
_EARLIER = 0.8  # share of the forecasts to fit on
_ROUNDING = 1e-6  # the library's 32-bit floats make this much of a difference out of none
_SURE = 1e-6  # a forecast is kept this far from 0 and 1, or one surprise would cost everything

Bin = tuple[int, int, int]


class CalibrationBin(NamedTuple):
    """The forecasts between two probabilities."""

    low: float
    high: float
    forecasts: int
    predicted: float | None  # their mean; None where there are none
    recalled: float | None  # the share that was recalled


def calibration_bins(
    forecast: Sequence[float], recalled: Sequence[bool]
) -> tuple[CalibrationBin, ...]:
    """Sort forecasts (probabilities, n) with their outcomes (n) into the bins of `EDGES`."""
    counts = [0] * (len(EDGES) - 1)
    predicted = [0.0] * len(counts)
    happened = [0] * len(counts)
    for probability, outcome in zip(forecast, recalled, strict=True):
        place = min(bisect_right(EDGES, probability), len(counts)) - 1
        counts[place] += 1
        predicted[place] += probability
        happened[place] += outcome
    return tuple(
        CalibrationBin(
            *(low, high, count),
            *((total / count, hits / count) if count else (None, None)),
        )
        for (low, high), count, total, hits in zip(
            pairwise(EDGES), counts, predicted, happened, strict=True
        )
    )


class ForecastQuality(NamedTuple):
    """The quality of a forecast of recall; lower is better for both."""

    log_loss: float
    rmse_bins: float

    def beats(self, other: ForecastQuality) -> bool:
        """Better in log loss and not worse in RMSE(bins)."""
        return (
            self.log_loss < other.log_loss - _ROUNDING
            and self.rmse_bins <= other.rmse_bins + _ROUNDING
        )


class Fit(NamedTuple):
    """Fitted parameters, and the figures of the later part of the log that judged them."""

    parameters: tuple[float, ...]  # fitted on all of the log if they won, else `tried`
    tried: tuple[float, ...]  # fitted on the earlier part
    fitted_on: int  # forecasts before `since`
    judged_on: int  # forecasts from `since` on
    since: datetime
    own: ForecastQuality
    defaults: ForecastQuality
    average: ForecastQuality  # always forecasting the recall rate of the earlier part
    own_bins: tuple[CalibrationBin, ...] = ()  # predicted beside happened, on the later part
    defaults_bins: tuple[CalibrationBin, ...] = ()

    @property
    def adopted(self) -> bool:
        """Return whether the learner's own parameters are to be used."""
        return self.own.beats(self.defaults)


def fit(
    log: Iterable[LoggedReview],
    settings: SchedulingSettings,
    starts: Mapping[str, MemoryStart] | None = None,
) -> Fit | None:
    """Fit parameters to a log; None while it holds too few reviews to judge by.

    `starts` says where the memory of some items begins. Reviews up to there are left out, and so
    are items that were learned before their log began: nobody knows how.
    """
    trials = trials_of(log, starts)
    if len(trials) < FEWEST_REVIEWS:
        return None
    since = trials[int(len(trials) * _EARLIER)].at
    begins = bisect_left(trials, since, key=attrgetter("at"))
    earlier, later = trials[:begins], trials[begins:]
    if not earlier:
        return None
    tried = _compute(earlier, settings)
    outcomes = [trial.recalled for trial in later]
    bins = [trial.bin for trial in later]
    average = sum(trial.recalled for trial in earlier) / len(earlier)
    own_forecasts = forecasts(later, tried)
    default_forecasts = forecasts(later, DEFAULT_PARAMETERS)
    own = figures(own_forecasts, outcomes, bins)
    defaults = figures(default_forecasts, outcomes, bins)
    return Fit(
        parameters=_compute(trials, settings) if own.beats(defaults) else tried,
        tried=tried,
        fitted_on=len(earlier),
        judged_on=len(later),
        since=since,
        own=own,
        defaults=defaults,
        average=figures([average] * len(later), outcomes, bins),
        own_bins=calibration_bins(own_forecasts, outcomes),
        defaults_bins=calibration_bins(default_forecasts, outcomes),
    )


def _compute(trials: Sequence[FitTrial], settings: SchedulingSettings) -> tuple[float, ...]:
    """Fit parameters to trials in the order of time."""
    # In the log's order: the fit depends on these numbers, and a set has no order of its own.
    numbers: dict[str, int] = {}
    fitted = fsrs.FSRS(list(DEFAULT_PARAMETERS)).compute_parameters(
        [trial.history for trial in trials],
        [numbers.setdefault(trial.guid, len(numbers)) for trial in trials],
        enable_short_term=True,
        num_relearning_steps=len(settings.relearning_steps),
    )
    return tuple(fitted)


def figures(
    forecast: Sequence[float], recalled: Sequence[bool], bins: Sequence[Bin]
) -> ForecastQuality:
    """Log loss and RMSE(bins) of forecasts (probabilities, n) of outcomes (n) in their bins (n)."""
    losses = 0.0
    groups: dict[Bin, list[float]] = {}  # bin → [reviews, sum of forecast − outcome]
    for probability, outcome, group in zip(forecast, recalled, bins, strict=True):
        sure = min(max(probability, _SURE), 1 - _SURE)
        losses -= math.log(sure if outcome else 1 - sure)
        entry = groups.setdefault(group, [0.0, 0.0])
        entry[0] += 1
        entry[1] += probability - outcome
    squares = sum(total * total / count for count, total in groups.values())
    return ForecastQuality(losses / len(forecast), math.sqrt(squares / len(forecast)))


class FitTrial(NamedTuple):
    """One review on a later day than the one before: an outcome that a model could forecast."""

    guid: str
    at: datetime
    history: fsrs.FSRSItem  # the item's reviews up to and including this one
    days: int  # since the review before
    recalled: bool
    reviews: int  # on later days up to this one, and the first
    lapses: int  # before this review, on later days than the first

    @property
    def bin(self) -> Bin:
        """The group of reviews that this one counts with."""
        return bin_of(self.days, self.reviews, self.lapses)


def forecasts(trials: Sequence[FitTrial], parameters: Sequence[float]) -> list[float]:
    """The probability of recall that the model gives each trial, knowing only what was before."""
    model = fsrs.FSRS(list(parameters))
    before = [fsrs.FSRSItem(trial.history.reviews[:-1]) for trial in trials]
    memories = model.memory_state_batch(before)
    return [
        retrievability(memory.stability, trial.days, parameters)
        for memory, trial in zip(memories, trials, strict=True)
    ]


def trials_of(
    log: Iterable[LoggedReview], starts: Mapping[str, MemoryStart] | None = None
) -> list[FitTrial]:
    """Return the trials of a log in the order of time; `starts` as `fit` has them."""
    return sorted(_trials(log, starts), key=attrgetter("at", "guid"))


def _trials(
    log: Iterable[LoggedReview], starts: Mapping[str, MemoryStart] | None = None
) -> Iterator[FitTrial]:
    """Yield the trials of each item."""
    for guid, own in grouped((row.item_guid, row) for row in log).items():
        reviews = effective_reviews(own)
        start = starts.get(guid) if starts else None
        if start is None:
            yield from _trials_of_item(guid, reviews)
        elif start.interval is None:
            later = [review for review in reviews if review.at > start.at]
            yield from _trials_of_item(guid, later)


def _trials_of_item(guid: str, reviews: Sequence[LoggedReview]) -> Iterator[FitTrial]:
    history: list[fsrs.FSRSReview] = []
    rated = ((each.learner_day.toordinal(), each.rating or Rating.AGAIN) for each in reviews)
    for _, days, number, lapses, recalled in _on_later_days(rated, history):
        at, item = reviews[len(history) - 1].at, fsrs.FSRSItem(history)
        yield FitTrial(guid, at, item, days, recalled, number, lapses)


def _on_later_days(
    reviews: Iterable[tuple[int, int]], history: list[fsrs.FSRSReview]
) -> Iterator[tuple[int, int, int, int, bool]]:
    """Take the reviews of an item, as day and rating, into its history one after the other.

    Yield of each that is on a later day than the one before: its day, the days between, how many
    such days there were with the first, the lapses before it, and whether it was recalled.
    """
    number, lapses, day = 1, 0, 0
    for today, rating in reviews:
        days = today - day if history and today > day else 0
        history.append(LIBRARY_REVIEWS[rating][days])
        day = today
        if days:
            number += 1
            recalled = rating != Rating.AGAIN
            yield today, days, number, lapses, recalled
            lapses += not recalled


@cache
def bin_of(days: int, reviews: int, lapses: int) -> Bin:
    """The group of reviews that one counts with: steps that grow like the numbers themselves."""
    return (
        round(248 * 3.62 ** math.floor(math.log(days, 3.62))),
        round(1.99 * 1.89 ** math.floor(math.log(reviews, 1.89))),
        round(1.65 * 1.73 ** math.floor(math.log(lapses, 1.73))) if lapses else 0,
    )


Review = tuple[str, int, int]
"""An item, the number of a learner day, and the number of a rating."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Reviews on later days than the ones before (n), of the days that are looked at.

    Attributes:
        recalled: what came of each (n).
        bins: the group that each counts with (n), as `figures` has them.
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
    """Return the outcomes from a learner day on; reviews in effect are by item and time.

    For figures of a long log: each item's reviews go through the library once, and each is forecast
    from the memory before it, where `forecasts` takes a history of its own for each.
    """
    found = Outcomes()
    for _, own in groupby(reviews, itemgetter(0)):
        history: list[fsrs.FSRSReview] = []
        places: list[int] = []
        rated = ((day, rating) for _guid, day, rating in own)
        for today, days, number, lapses, recalled in _on_later_days(rated, history):
            if first is None or today >= first:
                places.append(len(history) - 2)
                found.days.append(days)
                found.recalled.append(recalled)
                found.bins.append(bin_of(days, number, lapses))
        if places:
            found.histories.append(fsrs.FSRSItem(history))
            found.places.append(places)
    return found
