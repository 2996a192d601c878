"""Numbers that stand side by side, as text: equal ones look equal, and others do not.

Arrays are the nested lists of a report. The command, the app and editors write the numbers of a
report with this, so it needs no array library.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
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
    pairs = None
    if shape_of(expected) == shape_of(got):
        marks = [x != y for x, y in zip(one, other, strict=True)] if wrong is None else flat(wrong)
        both = zip(one, other, strict=True)
        pairs = [pair for pair, bad in zip(both, marks, strict=True) if bad]
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
    width = max(len(form.write(entry)) for entry in entries)
    bad = iter([False] * len(entries) if wrong is None else flat(wrong))
    blank = "" if wrong is None else " "
    rows: list[str] = []
    for place, block in enumerate(blocks_of(value)):
        if place and len(block) > 1:
            rows.append("")
        for row in block:
            texts = [form.write(x).rjust(width) + (MARK if next(bad) else blank) for x in row]
            rows.append(f"[{' '.join(texts)}]")
    return rows
