"""How far forecasts of recall can be believed: predicted against happened, in bins. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

EDGES: Final = (0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
"""Probabilities at which the bins begin and end; a forecast of 1 is in the last one."""


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
