"""The forgetting model's forecasts beside what happened, before and after a fit. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from studyattn.memory.calibration import CalibrationBin
from studyattn.memory.fit import Figures
from studyattn.text.figure import Figure, Series, Shape, Unit

_GOOD = 0.05
"""RMSE(bins) up to which forecasts are good: five points of a hundred."""
_FEWEST = 10
"""Forecasts of a bin that is drawn as a point."""


def calibration_curve(
    before: Sequence[CalibrationBin], after: Sequence[CalibrationBin] | None, meaning: str
) -> Figure:
    """The share recalled by the probability predicted; on the diagonal every forecast is right.

    `before` is with the default parameters, `after` with the learner's own, if there are any. A
    bin with few forecasts has no point.
    """
    labels = tuple(f"{(each.low + each.high) / 2:.3f}" for each in before)
    series = [Series("defaults", tuple(map(_point, before)), Unit.SHARE)]
    if after is not None:
        series.append(Series("your own", tuple(map(_point, after)), Unit.SHARE))
    drawn = [place for place in range(len(labels)) if any(s.values[place] for s in series)]
    lowest = min(drawn, default=0)
    series.append(
        Series("as predicted", tuple(map(float, labels[lowest:])), Unit.SHARE),
    )
    return Figure(
        "calibration-curve",
        "Calibration: recalled (up) by predicted (right)",
        meaning,
        labels[lowest:],
        (*(Series(s.name, s.values[lowest:], s.unit) for s in series[:-1]), series[-1]),
        Shape.CURVES,
        along=Unit.SHARE,
    )


def _point(each: CalibrationBin) -> float | None:
    return each.recalled if each.forecasts >= _FEWEST else None


def calibration_tables(
    before: Sequence[CalibrationBin], after: Sequence[CalibrationBin] | None
) -> tuple[Figure, ...]:
    """The bins in numbers: a table of those in use, and one of the defaults if they are not."""
    if after is None:
        return (_table("calibration", "Predicted and actual", before),)
    return (
        _table("calibration", "Predicted and actual, your parameters", after),
        _table("calibration-defaults", "Predicted and actual, the defaults", before),
    )


def _table(name: str, title: str, bins: Sequence[CalibrationBin]) -> Figure:
    worst = _worst(bins)
    meaning = "Too few forecasts per bin to judge any of them."
    if worst is not None:
        low, high = f"{worst.low:.0%}", f"{worst.high:.0%}"
        much = "high" if (worst.predicted or 0) > (worst.recalled or 0) else "low"
        meaning = (
            f"Furthest off between {low} and {high}: {worst.predicted:.1%} predicted,"
            f" {worst.recalled:.1%} recalled, so forecasts are too {much} there."
        )
    return Figure(
        name,
        title,
        meaning,
        tuple(f"{each.low:.0%} to {each.high:.0%}" for each in bins),
        (
            Series("reviews", tuple(float(each.forecasts) for each in bins)),
            Series("predicted", tuple(each.predicted for each in bins), Unit.SHARE),
            Series("recalled", tuple(each.recalled for each in bins), Unit.SHARE),
        ),
        Shape.TABLE,
    )


def _worst(bins: Sequence[CalibrationBin]) -> CalibrationBin | None:
    """The bin that adds most to the error, of those with enough forecasts."""
    enough = [each for each in bins if each.forecasts >= _FEWEST]
    return max(
        enough,
        key=lambda each: each.forecasts * ((each.predicted or 0) - (each.recalled or 0)) ** 2,
        default=None,
    )


def calibration_meaning(
    forecasts: int,
    defaults: Figures,
    own: Figures | None,
    *,
    unseen: bool = False,
    share: int = 1,
) -> str:
    """One sentence about both.

    `unseen` if neither was fitted on these reviews; `share` if they are those of one item in so
    many.
    """
    used = own or defaults
    judged = f"over {forecasts:,} reviews" + (" that no fit has seen" if unseen else "")
    if share > 1:
        judged += f" of one item in {share}"
    told = f"Forecasts are {used.rmse_bins:.1%} off {judged}"
    if own is not None:
        told += f" ({defaults.rmse_bins:.1%} with the defaults)"
    if used.rmse_bins <= _GOOD:
        return f"{told}: you can trust the intervals."
    if own is None:
        return f"{told}: `studyattn stats --fit` may bring them closer."
    return f"{told}: still far off, so trust the intervals less."
