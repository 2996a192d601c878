"""The notation of numbers that stand side by side: equal ones look equal, and others do not.

The command and the app both write the numbers of a report in it, so it needs no array library.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

_DIGITS = 4  # of the largest number
_MOST_DECIMALS = 17
_SMALLEST, _LARGEST = 1e-3, 1e6  # beyond these, numbers are written with an exponent
_SEPARATED = 10_000  # whole numbers from here on have their thousands separated


@dataclass(frozen=True, slots=True)
class NumberForm:
    """The notation of numbers: whole, with so many decimals, or with an exponent."""

    decimals: int
    exponent: bool = False

    def write(self, value: object) -> str:
        """A number, a truth value, or anything else as it writes itself."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return str(value)
        if not math.isfinite(value):
            return str(value)
        if self.exponent:
            return f"{value:.{self.decimals}e}"
        if self.decimals == 0:
            return f"{round(value):,}" if abs(value) >= _SEPARATED else str(round(value))
        return f"{value:.{self.decimals}f}"


def form_of(
    numbers: Iterable[float], apart: Iterable[tuple[float, float]] | None = None
) -> NumberForm:
    """The shortest form in which these numbers are told; the pairs `apart` also look different."""
    sizes = [abs(each) for each in numbers if math.isfinite(each)]
    if all(each == round(each) for each in sizes):
        return NumberForm(0)
    largest = max(sizes)
    if largest >= _LARGEST or largest < _SMALLEST:
        form = NumberForm(3, exponent=True)
    else:
        most = max(1, _DIGITS - len(str(int(largest))) + (largest < 1))
        form = NumberForm(next((d for d in range(1, most) if _exact(sizes, d)), most))
    pairs = [pair for pair in apart or () if all(map(math.isfinite, pair))]
    while form.decimals < _MOST_DECIMALS and any(
        form.write(one) == form.write(other) for one, other in pairs
    ):
        form = replace(form, decimals=form.decimals + 1)
    return form


def _exact(sizes: Iterable[float], decimals: int) -> bool:
    return all(abs(each - round(each, decimals)) < 10.0**-_DIGITS / 2 for each in sizes)
