"""Curves on two logarithmic or two linear axes, drawn in characters.

Signs tell the curves apart, so that nothing depends on colour; the straight lines between points
are braille dots, eight to a cell. Pure: from numbers to one Rich text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

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
    """Points (x, y) in the order in which they are joined."""

    points: Sequence[tuple[float, float]]
    sign: str  # of one column
    style: str = ""
    signs: int = 1  # how many of its last points have its sign on linear axes

    def above_zero(self) -> Curve:
        """Return the part of it that lies on logarithmic axes, each point with its sign."""
        points = [point for point in self.points if min(point) > 0]
        return replace(self, points=points, signs=len(points))


def draw_curves(
    curves: Sequence[Curve],
    *,
    width: int,
    height: int,
    label: Callable[[float], str],
    quiet: str = "",
    marks: Iterable[float] = (),
    x_label: Callable[[float], str] = "{:g}".format,
    logarithmic: bool = False,
) -> Text:
    """`height` lines of at most `width` columns; the first curve lies on top.

    `label` writes a value of the y axis, `x_label` one of the x axis, which is marked at its ends
    and at `marks` between them; `quiet` is the style of axes. On logarithmic axes all points above
    zero have their sign, and x is marked at each. Empty when there is nothing to draw, or no room.
    """
    if logarithmic:
        curves = [curve.above_zero() for curve in curves]
    points = [*chain.from_iterable(curve.points for curve in curves)]
    if not points or width < SMALLEST[0] or height < SMALLEST[1]:
        return Text()
    xs, ys = zip(*points, strict=True)
    scale, ticks_of = (math.log, _decades) if logarithmic else (float, _even)
    ticks = ticks_of(ys, height - 2)
    names = [*map(label, ticks)]
    gutter = max(map(len, names)) + 1
    y = _Axis([*ys, *ticks], height - 2, scale)
    canvas = _Canvas(_Axis(xs, width - gutter - 1, scale), y)
    for curve in reversed(curves):
        canvas.draw(curve)
    marked = dict(zip(map(canvas.row, ticks), names, strict=True))
    return canvas.framed(marked, xs if logarithmic else marks, gutter, quiet, x_label)


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
        self._scale, self.ends = scale, (min(values), max(values))
        low, high = map(scale, self.ends)
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
        marks: Iterable[float],
        gutter: int,
        quiet: str,
        label: Callable[[float], str],
    ) -> Text:
        """All of it with its axes: `marked` rows on the left, below the ends of x and its marks."""
        drawn = {cell: (chr(_BRAILLE + dots), style) for cell, (dots, style) in self._dots.items()}
        drawn |= self._signs
        lines = []
        for row in range(self.y.cells):
            side = f"{marked.get(row, ''):>{gutter - 1}} {'┤' if row in marked else '│'}"
            cells = Text.assemble(
                *(drawn.get((row, column), " ") for column in range(self.x.cells))
            )
            cells.rstrip()
            lines.append(Text.assemble((side, quiet), cells))
        low, high = self.x.ends
        between = (x for x in marks if low < x < high)
        axis, names = _x_axis(self.x, sorted({low, *between, high}), label)
        lines.append(Text(" " * gutter + "└" + axis, style=quiet))
        lines.append(Text(" " * (gutter + 1) + names, style=quiet))
        return Text("\n").join(lines)


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
