"""Numbers that stand side by side, as text: equal ones look equal, and others do not.

Arrays are the nested lists of a report. The command, the app and editors write the numbers of a
report with this, so it needs no array library.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import compress, islice
from typing import Any

_DIGITS = 4  # of the largest number
_MOST_DECIMALS = 17
_SMALLEST, _LARGEST = 1e-3, 1e6  # beyond these, numbers are written with an exponent
_SEPARATED = 10_000  # whole numbers from here on have their thousands separated

MARK = "*"
"""Follows an entry that is wrong."""

Rows = Sequence[Sequence[Any]]
"""A matrix: rows of numbers or of truth values, all of one length."""


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


def form_of(numbers: Iterable[float], apart: Iterable[tuple[float, float]] = ()) -> NumberForm:
    """The shortest form in which these numbers are told; the pairs `apart` also look different."""
    form = _shortest([abs(each) for each in numbers if math.isfinite(each)])
    pairs = [pair for pair in apart if all(map(math.isfinite, pair))] if form.decimals else []
    while form.decimals < _MOST_DECIMALS and any(
        form.write(one) == form.write(other) for one, other in pairs
    ):
        form = replace(form, decimals=form.decimals + 1)
    return form


def _shortest(sizes: Sequence[float]) -> NumberForm:
    """Return the form with as few decimals as these finite numbers need, none of them negative."""
    if all(each == round(each) for each in sizes):
        return NumberForm(0)
    largest = max(sizes)
    if largest >= _LARGEST or largest < _SMALLEST:
        return NumberForm(3, exponent=True)
    most = max(1, _DIGITS - len(str(int(largest))) + (largest < 1))
    return NumberForm(next((d for d in range(1, most) if _exact(sizes, d)), most))


def _exact(sizes: Iterable[float], decimals: int) -> bool:
    return all(abs(each - round(each, decimals)) < 10.0**-_DIGITS / 2 for each in sizes)


def shape_of(value: Any) -> tuple[int, ...]:
    """Return the lengths of nested lists by depth; () for a number."""
    shape: tuple[int, ...] = ()
    while isinstance(value, list):
        shape += (len(value),)
        value = value[0] if value else None
    return shape


def blocks_of(value: Any) -> list[Rows]:
    """Return nested lists of any depth as matrices: a number is one of 1 × 1, a list of 1 × n."""
    if not isinstance(value, list):
        return [[[value]]]
    if not value or not isinstance(value[0], list):
        return [[value]]
    if not value[0] or isinstance(value[0][0], list):
        return [matrix for part in value for matrix in blocks_of(part)]
    return [value]


def flat(value: Any) -> list[Any]:
    """Return the entries of nested lists, the last axis first."""
    return [entry for block in blocks_of(value) for row in block for entry in row]


def form_beside(expected: Any, got: Any, wrong: Any = None) -> NumberForm:
    """Return the form for two arrays; entries that are `wrong`, or differ, look different."""
    one, other = flat(expected), flat(got)
    pairs: list[tuple[Any, Any]] = []
    if shape_of(expected) == shape_of(got):
        pairs = [*zip(one, other, strict=True)]
        marks = [x != y for x, y in pairs] if wrong is None else flat(wrong)
        pairs = [*compress(pairs, marks)]
    return form_of(one + other, pairs)


def rows_of(value: Any, form: NumberForm, wrong: Any = None) -> list[str]:
    """One text a row; blocks of several rows are parted by an empty one.

    With `wrong`, every entry has room for a sign behind it, which those that are wrong bear.
    """
    entries = flat(value)
    if not entries:
        return [f"empty, shape {shape_of(value)}"]
    if not isinstance(value, list):
        return [form.write(value) + (MARK if wrong else "")]
    marks = None if wrong is None else flat(wrong)
    texts = iter(_cells([form.write(entry) for entry in entries], marks))
    rows: list[str] = []
    for place, block in enumerate(blocks_of(value)):
        rows += [""] if place and len(block) > 1 else []
        rows += [f"[{' '.join(islice(texts, len(row)))}]" for row in block]
    return rows


def _cells(texts: Sequence[str], wrong: Sequence[bool] | None) -> list[str]:
    width = max(map(len, texts))
    if wrong is None:
        return [text.rjust(width) for text in texts]
    pairs = zip(texts, wrong, strict=True)
    return [text.rjust(width) + (MARK if is_wrong else " ") for text, is_wrong in pairs]
