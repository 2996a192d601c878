"""Arrays as rows of text: decimals aligned, wrong entries marked by a sign.

One `NumberForm` writes all arrays that stand side by side, so that equal numbers look equal and
numbers
that differ look different.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

MARK = "*"
"""Follows an entry that is wrong."""

_DIGITS = 4  # of the largest number
_MOST_DECIMALS = 17
_SMALLEST, _LARGEST = 1e-3, 1e6  # beyond these, numbers are written with an exponent
_SEPARATED = 10_000  # whole numbers from here on have their thousands separated

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class NumberForm:
    """The notation of numbers: whole, with so many decimals, or with an exponent."""

    decimals: int
    exponent: bool = False

    def write(self, value: Any) -> str:
        """A number, a truth value, or anything else as it writes itself."""
        if isinstance(value, bool | np.bool_) or not isinstance(value, int | float):
            return str(value)
        if isinstance(value, float) and not np.isfinite(value):
            return str(value)
        if self.exponent:
            return f"{value:.{self.decimals}e}"
        if self.decimals == 0:
            return f"{round(value):,}" if abs(value) >= _SEPARATED else str(round(value))
        return f"{value:.{self.decimals}f}"


def form_of(*arrays: Array, apart: tuple[Array, Array] | None = None) -> NumberForm:
    """The shortest form in which these numbers are told; those of `apart` also look different."""
    sizes = np.abs(np.concatenate([_finite(each) for each in arrays] or [np.zeros(0)]))
    if not sizes.size or np.array_equal(sizes, np.round(sizes)):
        return NumberForm(0)
    if sizes.max() >= _LARGEST or sizes.max() < _SMALLEST:
        form = NumberForm(3, exponent=True)
    else:
        most = max(1, _DIGITS - len(str(int(sizes.max()))) + (sizes.max() < 1))
        form = NumberForm(next((d for d in range(1, most) if _exact(sizes, d)), most))
    while apart is not None and form.decimals < _MOST_DECIMALS and not _look_apart(form, *apart):
        form = replace(form, decimals=form.decimals + 1)
    return form


def rows_of(values: Array, form: NumberForm, wrong: NDArray[np.bool_] | None = None) -> list[str]:
    """One text a row; blocks of several rows are parted by an empty one.

    With `wrong`, every entry has room for a sign behind it, which those that are wrong bear.
    """
    if values.ndim == 0:
        return [form.write(values.item()) + (MARK if wrong is not None and wrong.any() else "")]
    if values.size == 0:
        return [f"empty, shape {values.shape}"]
    flat = values.reshape(-1, values.shape[-1])
    texts = [[form.write(entry) for entry in row] for row in flat.tolist()]
    width = max(len(text) for row in texts for text in row)
    signs = _signs(flat.shape, wrong)
    rows = [
        "["
        + " ".join(text.rjust(width) + sign for text, sign in zip(row, marks, strict=True))
        + "]"
        for row, marks in zip(texts, signs, strict=True)
    ]
    return _parted(rows, values.shape[-2] if values.ndim > 2 else 1)


def _finite(values: Array) -> Array:
    if values.dtype.kind not in "iuf":
        return np.zeros(0)
    numbers: Array = values.astype(float).reshape(-1)
    finite: Array = numbers[np.isfinite(numbers)]
    return finite


def _exact(sizes: Array, decimals: int) -> bool:
    return bool(np.all(np.abs(sizes - np.round(sizes, decimals)) < 10.0**-_DIGITS / 2))


def _look_apart(form: NumberForm, one: Array, other: Array) -> bool:
    pairs = zip(one.reshape(-1).tolist(), other.reshape(-1).tolist(), strict=True)
    return all(form.write(a) != form.write(b) for a, b in pairs)


def _signs(shape: Sequence[int], wrong: NDArray[np.bool_] | None) -> list[list[str]]:
    if wrong is None:
        return [[""] * shape[1]] * shape[0]
    return [[MARK if each else " " for each in row] for row in wrong.reshape(shape).tolist()]


def _parted(rows: Sequence[str], block: int) -> list[str]:
    parted: list[str] = []
    for position, row in enumerate(rows):
        if block > 1 and position and position % block == 0:
            parted.append("")
        parted.append(row)
    return parted
