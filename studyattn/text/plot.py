"""Curves on two logarithmic or two linear axes, drawn in characters.

Signs tell the curves apart, so that nothing depends on colour; the straight lines between points
are braille dots, eight to a cell. Pure: from numbers to one Rich text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rich.text import Text

SHARED = "◉"
"""The sign of a cell with points of several curves."""

SMALLEST = (24, 6)
"""Columns and lines below which nothing is drawn."""

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a braille cell: four rows of two dots."""

_BRAILLE = 0x2800
_MARGIN = 0.03
"""The share of an axis that is free at both ends, so that no point lies on the frame."""

_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


@dataclass(frozen=True, slots=True)
class Curve:
    """Points (x, y), both above zero, in the order in which they are joined."""

    points: Sequence[tuple[float, float]]
    sign: str  # of one column
    style: str = ""
    signs: int = 1  # how many of its last points have its sign on linear axes


def log_log(
    curves: Sequence[Curve],
    *,
    width: int,
    height: int,
    label: Callable[[float], str],
    quiet: str = "",
) -> Text:
    """`height` lines of at most `width` columns; the first curve lies on top.

    `label` writes a value of the y axis; x is marked at the points themselves. `quiet` is the style
    of axes. Empty when there is nothing to draw, or no room.
    """
    drawn = []
    for curve in curves:
        points = [(x, y) for x, y in curve.points if x > 0 and y > 0]
        drawn.append(replace(curve, points=points, signs=len(points)))
    xs = {x for curve in drawn for x, _ in curve.points}
    return _plot(drawn, width, height, (math.log, _decades), (label, "{:g}".format), xs, quiet)


def linear(
    curves: Sequence[Curve],
    *,
    width: int,
    height: int,
    label: Callable[[float], str],
    quiet: str = "",
    marks: Sequence[float] = (),
    x_label: Callable[[float], str] = "{:g}".format,
) -> Text:
    """`height` lines of at most `width` columns, as `log_log`, on linear axes.

    A curve may have very many points: its sign marks the last one, or as many as it says, and x is
    marked at its ends and at `marks` between them, which `x_label` writes.
    """
    return _plot(curves, width, height, (float, _even), (label, x_label), marks, quiet)


def _plot(  # noqa: PLR0917 - what both kinds of axes are given
    curves: Sequence[Curve],
    width: int,
    height: int,
    axes: tuple[Callable[[float], float], Callable[[Sequence[float], int], list[float]]],
    labels: tuple[Callable[[float], str], Callable[[float], str]],
    marks: Iterable[float],
    quiet: str,
) -> Text:
    """Plot on axes of a scale, with ticks at values for so many rows; labels are of y and x."""
    points = [point for curve in curves for point in curve.points]
    if not points or width < SMALLEST[0] or height < SMALLEST[1]:
        return Text()
    (scale, ticks_of), (label, x_label), rows = axes, labels, height - 2
    xs, ys = zip(*points, strict=True)
    ticks = ticks_of(ys, rows)
    gutter = max(map(len, map(label, ticks))) + 1
    canvas = _Canvas(_Axis(xs, width - gutter - 1, scale), _Axis([*ys, *ticks], rows, scale))
    for curve in reversed(curves):
        canvas.draw(curve)
    marked = {canvas.row(value): label(value) for value in ticks}
    between = (x for x in marks if min(xs) < x < max(xs))
    return canvas.framed(marked, sorted({min(xs), *between, max(xs)}), gutter, quiet, x_label)


def short(value: float) -> str:
    """A count in few columns: `64`, `1.5k`, `16M`."""
    for size, prefix in _PREFIXES:
        if value >= size:
            return f"{value / size:.3g}{prefix}"
    return f"{value:.3g}"


def short_time(seconds: float) -> str:
    """A time in few columns: `20 µs`, `1.5 ms`, `3 s`."""
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


class _Axis:
    """An axis of so many cells on a scale: from values to places."""

    def __init__(
        self, values: Sequence[float], cells: int, scale: Callable[[float], float]
    ) -> None:
        self._scale = scale
        low, high = scale(min(values)), scale(max(values))
        if high - low < 1e-9:  # one value alone lies in the middle
            low, high = low - 0.5, high + 0.5
        free = _MARGIN * (high - low)
        self._low, self._length = low - free, high - low + 2 * free
        self.cells = cells

    def place(self, value: float, parts: int = 1) -> int:
        """The place of `value`, each cell divided into `parts`."""
        share = (self._scale(value) - self._low) / self._length
        return min(self.cells * parts - 1, max(0, int(share * self.cells * parts)))


class _Canvas:
    """Dots and signs between the axes."""

    def __init__(self, x: _Axis, y: _Axis) -> None:
        self.x = x
        self.y = y
        self._dots: dict[tuple[int, int], tuple[int, str]] = {}
        self._signs: dict[tuple[int, int], tuple[str, str]] = {}

    def row(self, value: float) -> int:
        """The row of a value, from the top."""
        return self.y.cells - 1 - self.y.place(value)

    def draw(self, curve: Curve) -> None:
        """Draw `curve` over what was drawn before, with signs at its last points."""
        places = [
            (self.x.place(x, 2), self.y.cells * 4 - 1 - self.y.place(y, 4)) for x, y in curve.points
        ]
        for begin, end in pairwise(places):
            self._join(begin, end, curve.style)
        for x, y in curve.points[-curve.signs :]:
            cell = self.row(y), self.x.place(x)
            known = self._signs.get(cell)
            sign = curve.sign if known is None or known[0] == curve.sign else SHARED
            self._signs[cell] = sign, curve.style

    def _join(self, begin: tuple[int, int], end: tuple[int, int], style: str) -> None:
        steps = max(abs(end[0] - begin[0]), abs(end[1] - begin[1]), 1)
        for step in range(steps + 1):
            column = round(begin[0] + (end[0] - begin[0]) * step / steps)
            row = round(begin[1] + (end[1] - begin[1]) * step / steps)
            cell = row // 4, column // 2
            dots = self._dots.get(cell, (0, ""))[0] | _DOTS[row % 4][column % 2]
            self._dots[cell] = dots, style

    def framed(
        self,
        marked: Mapping[int, str],
        values: Sequence[float],
        gutter: int,
        quiet: str,
        label: Callable[[float], str],
    ) -> Text:
        """All of it with its axes: `marked` rows on the left, `values` of x below."""
        lines = [
            Text.assemble(
                (f"{marked.get(row, ''):>{gutter - 1}} {'┤' if row in marked else '│'}", quiet),
                self.line(row),
            )
            for row in range(self.y.cells)
        ]
        axis, names = _x_axis(self.x, values, label)
        lines.append(Text(" " * gutter + "└" + axis, style=quiet))
        lines.append(Text(" " * (gutter + 1) + names, style=quiet))
        return Text("\n").join(lines)

    def line(self, row: int) -> Text:
        """One row of cells, without what is empty at its end."""
        text = Text()
        for column in range(self.x.cells):
            cell = row, column
            if cell in self._signs:
                sign, style = self._signs[cell]
                text.append(sign, style=style)
            elif cell in self._dots:
                dots, style = self._dots[cell]
                text.append(chr(_BRAILLE + dots), style=style)
            else:
                text.append(" ")
        text.rstrip()
        return text


def _decades(values: Sequence[float], rows: int) -> list[float]:
    """Powers of ten among `values`, two at least, and not closer than every other row."""
    low = math.ceil(math.log10(min(values)) - 1e-9)
    high = math.floor(math.log10(max(values)) + 1e-9)
    if low >= high:  # values of one decade lie between its ends
        low, high = min(low, high), max(low, high, min(low, high) + 1)
    every = math.ceil((high - low) / max(1, rows // 2))
    return [10.0**power for power in range(low, high + 1, every)]


def _even(values: Sequence[float], rows: int) -> list[float]:
    """Return round values among `values`, one in two rows at most; their ends if there are none."""
    low, high, most = min(values), max(values), rows // 2 + 1
    length = max(high - low, 1e-9)
    power = 10.0 ** math.floor(math.log10(length)) / 10
    steps = (power * factor for factor in (1, 2, 5, 10, 20, 50, 100))
    step = next(step for step in steps if length / step < max(most, 2))
    found = [step * n for n in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return found or [low, high]


def _x_axis(axis: _Axis, values: Sequence[float], label: Callable[[float], str]) -> tuple[str, str]:
    """The line with a mark at each value, and their names below as far as they fit."""
    line = ["─"] * axis.cells
    names = ""
    for value in values:
        place = axis.place(value)
        line[place] = "┬"
        name = label(value)
        begin = min(max(0, place - len(name) // 2), axis.cells - len(name))
        if begin > len(names) or not names:
            names = names.ljust(begin) + name
    return "".join(line), names
