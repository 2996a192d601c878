"""The forgetting model's forecasts beside what happened, before and after a fit. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

from studyattn.memory.fit import (
    CalibrationBin,
    Fit,
    ForecastQuality,
    Outcomes,
    calibration_bins,
    figures,
)
from studyattn.memory.settings import DEFAULT_PARAMETERS
from studyattn.text.figure import Named, Row, Telling

_GOOD = 0.05
"""RMSE(bins) up to which forecasts are good: five points of a hundred."""
_FEWEST = 10
"""Forecasts of a bin that is drawn as a point."""

Bins = Sequence[CalibrationBin]


class Judged(NamedTuple):
    """Forecasts beside what happened, with the default parameters and with the learner's own."""

    defaults: Bins
    own: Bins | None  # None where there are none
    meaning: str

    @classmethod
    def of(cls, outcomes: Outcomes, parameters: Sequence[float], share: int) -> Self:
        """Judge the parameters by reviews of one item in `share`."""
        recalled = outcomes.recalled
        if not recalled:
            meaning = "No forecasts to judge yet: review items from an earlier day first."
            return cls(calibration_bins((), ()), None, meaning)
        forecasts = outcomes.forecasts(DEFAULT_PARAMETERS)
        bins = calibration_bins(forecasts, recalled)
        by_defaults = figures(forecasts, recalled, outcomes.bins)
        own_bins = own = None
        if tuple(parameters) != DEFAULT_PARAMETERS:
            forecasts = outcomes.forecasts(parameters)
            own_bins = calibration_bins(forecasts, recalled)
            own = figures(forecasts, recalled, outcomes.bins)
        judged = f"over {len(recalled):,} reviews" + (f" of one item in {share}" * (share > 1))
        return cls(bins, own_bins, _meaning(judged, by_defaults, own))

    @classmethod
    def of_fit(cls, fit: Fit) -> Self:
        """Judge both parameters by the reviews that the fit has not seen."""
        judged = f"over {fit.judged_on:,} reviews that no fit has seen"
        return cls(fit.defaults_bins, fit.own_bins, _meaning(judged, fit.defaults, fit.own))


def _meaning(judged: str, defaults: ForecastQuality, own: ForecastQuality | None) -> str:
    used = own or defaults
    told = f"Forecasts are {used.rmse_bins:.1%} off {judged}"
    if own is not None:
        told += f" ({defaults.rmse_bins:.1%} with the defaults)"
    if used.rmse_bins <= _GOOD:
        return f"{told}: you can trust the intervals."
    if own is None:
        return f"{told}: `studyattn stats --fit` may bring them closer."
    return f"{told}: still far off, so trust the intervals less."


def curve(judged: Judged) -> Telling:
    """The share recalled by the probability predicted; on the diagonal every forecast is right.

    A bin with few forecasts has no point.
    """
    rows: list[Row] = []
    for place, each in enumerate(judged.defaults):
        middle = (each.low + each.high) / 2
        own = () if judged.own is None else (_point(judged.own[place]),)
        if rows or any((_point(each), *own)):
            label = f"{middle:.3f}"
            rows.append((label, _point(each), *own, float(label)))
    names = "defaults:%, as predicted:%"
    yield Named(names, rows) if judged.own is None else rows
    return judged.meaning


def _point(each: CalibrationBin) -> float | None:
    return each.recalled if each.forecasts >= _FEWEST else None


def in_use(judged: Judged) -> Telling:
    """The bins in numbers, of the parameters in use."""
    bins = judged.own or judged.defaults
    if not any(each.forecasts for each in bins):
        return ""
    yield [(f"{e.low:.0%} to {e.high:.0%}", e.forecasts, e.predicted, e.recalled) for e in bins]
    enough = [each for each in bins if each.forecasts >= _FEWEST]
    worst = max(enough, key=lambda each: each.forecasts * _off(each) ** 2, default=None)
    if worst is None:
        return "Too few forecasts per bin to judge any of them."
    return (
        f"Furthest off between {worst.low:.0%} and {worst.high:.0%}: {worst.predicted:.1%} "
        f"predicted, {worst.recalled:.1%} recalled, so forecasts are too "
        f"{'high' if _off(worst) > 0 else 'low'} there."
    )


def _off(each: CalibrationBin) -> float:
    return (each.predicted or 0.0) - (each.recalled or 0.0)
