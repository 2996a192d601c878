"""Figures of statistics drawn in characters: eighth blocks, braille, shades.

Nothing depends on colour: every bar has its number beside it, curves have signs, and a calendar's
shades differ. Pure: from a `Figure` to lines of Rich text, none wider than asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain, filterfalse

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from studyattn.text.figure import Figure, Series, Shape, Unit, written
from studyattn.text.lines import wrap
from studyattn.text.plot import Curve, draw_curves

NARROWEST = 34
"""Columns below which a chart is drawn as if it had so many."""

_ACROSS: Sequence[str] = ("", *"▏▎▍▌▋▊▉")
_UP = " ▁▂▃▄▅▆▇█"
_LEFT = (0, 0x40, 0x44, 0x46, 0x47)  # bits of a braille cell for so many dots, from below
_RIGHT = (0, 0x80, 0xA0, 0xB0, 0xB8)
_SHADES = "·░▒▓█"
_SIGNS = "●○×◆"
_HEIGHT = 5  # lines of columns, at least
_SIGNED = 12  # points of a curve that all have its sign
_CURVES = 14  # lines of curves at least, axes included
_GROW: Mapping[Shape, int] = {Shape.COLUMNS: 11, Shape.CURVES: 22, Shape.CALENDAR: 0}
"""The most lines by which these may be taller."""
_LONGEST = 36  # columns of a label beside bars
_SHORTEST = 12  # columns that a label below may have where there are fewer
_WIDEST = 8  # cells of a column, where there are few
_MOST = 24  # labels of bars and tables where there is no room for more


@dataclass(frozen=True, slots=True)
class ChartStyles:
    """Styles by what they are for, in the words of whoever shows the text; empty for none."""

    title: str = ""
    ink: str = ""
    other: str = ""  # of a second curve
    quiet: str = ""


def most_taller(figure: Figure) -> int:
    """Return the lines by which the drawing of a figure may be taller than at least.

    Columns and curves grow. Bars and tables show more of their labels, and groups of bars get an
    empty line between them.
    """
    if figure.empty:
        return 0
    if figure.shape in _GROW:
        return _GROW[figure.shape]
    bars = len(_drawn(figure)) if figure.shape is Shape.BARS else 1
    if len(figure.labels) > _MOST:
        return (len(figure.labels) - _MOST) * bars
    return len(figure.labels) - 1 if bars > 1 else 0


def chart_lines(
    figure: Figure, width: int, styles: ChartStyles | None = None, taller: int = 0
) -> list[Text]:
    """Title, sentence and drawing, at most `width` columns wide.

    The drawing may have `taller` more lines than at least, up to `most_taller`.
    """
    styles, width = styles or ChartStyles(), max(width, NARROWEST)
    lines = [Text(figure.title, styles.title)]
    lines += wrap(Text(figure.meaning), width) if figure.meaning else []
    if not figure.empty:
        lines += _DRAWINGS[figure.shape](figure, width, styles, taller)
    for line in lines:
        line.rstrip()
    return lines


# ── bars and tables ──────────────────────────────────────────────────────────────────────────────


def _bars(figure: Figure, width: int, styles: ChartStyles, taller: int) -> list[Text]:
    """A bar for each value of the first series and those of its unit; the others as columns."""
    drawn = _drawn(figure)
    beside = _beside(figure, [*filterfalse(drawn.__contains__, figure.series)])
    names = max(cell_len(each.name) for each in drawn) + 1 if len(drawn) > 1 else 0
    values = [*map(_numbers, drawn)]
    numbers = [_column(each)[1:] for each in drawn]
    number = max(map(len, chain(*numbers)))
    taken = names + number + len(beside[0])
    most = max(width // 4, min(2 * width // 5, width - taken - 1 - _SHORTEST))
    label = min(_LONGEST, most, max(map(cell_len, figure.labels))) + 1
    room = max(4, width - label - taken - 1)
    lines = []
    if beside[0]:
        head = f"{figure.series[0].name:>{label + names + room + number + 1}}"
        lines.append(Text(head + beside[0], styles.quiet))
    top = _top(chain(*values), drawn[0].unit)
    shown = _MOST + taller // len(drawn)
    is_spaced = len(drawn) > 1 and len(figure.labels) <= min(taller + 1, _MOST)
    for place, name in enumerate(figure.labels[:shown]):
        lines += [Text()] if place and is_spaced else []
        title, others = name, beside[place + 1]
        for series, own, written_ones in zip(drawn, values, numbers, strict=True):
            lines.append(
                Text.assemble(
                    (set_cell_size(_clipped(title, label - 1), label), ""),
                    (f"{series.name:<{names}}"[:names], styles.quiet),
                    (bar(own[place], top, room).ljust(room), styles.ink),
                    f" {written_ones[place]:>{number}}{others}",
                )
            )
            title = others = ""
    return [*lines, *_left_out(figure, shown, styles)]


def _drawn(figure: Figure) -> list[Series]:
    """The series that are drawn as bars."""
    return [each for each in figure.series if each.unit is figure.series[0].unit]


def _column(series: Series) -> list[str]:
    return [series.name, *(written(value, series.unit) for value in series.values)]


def _beside(figure: Figure, series: Sequence[Series]) -> list[str]:
    """Return columns of these series, a text a row: the names, then the values of each label."""
    columns = [_column(each) for each in series]
    widths = [max(map(len, column)) for column in columns]
    rows = zip(*columns, strict=True) if columns else [()] * (len(figure.labels) + 1)
    return [
        "".join(f"  {cell:>{wide}}" for cell, wide in zip(row, widths, strict=True)) for row in rows
    ]


def _left_out(figure: Figure, shown: int, styles: ChartStyles) -> list[Text]:
    more = len(figure.labels) - shown
    return [Text(f"and {more:,} more, in JSON and CSV", styles.quiet)] if more > 0 else []


def _top(values: Iterable[float], unit: Unit) -> float:
    """The value of a full bar or column: all of a share, else the largest."""
    return 1.0 if unit is Unit.SHARE else max(values, default=0.0)


def _filled(value: float, top: float, parts: int) -> int:
    """Return how many of so many parts a value fills of `top`; what is not 0 is seen."""
    return min(parts, max(1, round(parts * value / top))) if value > 0 and top > 0 else 0


def bar(value: float, top: float, width: int) -> str:
    """A bar of `width` columns for `top`, to an eighth of a column."""
    full, rest = divmod(_filled(value, top, 8 * width), 8)
    return "█" * full + _ACROSS[rest]


def _table(figure: Figure, width: int, styles: ChartStyles, taller: int) -> list[Text]:
    beside = _beside(figure, figure.series)
    label = min(max(8, width - len(beside[0])), max(map(cell_len, figure.labels)))
    lines = []
    for place, name in enumerate(("", *figure.labels[: _MOST + taller])):
        style = "" if place else styles.quiet
        lines.append(Text(set_cell_size(_clipped(name, label), label) + beside[place], style))
    return [*lines, *_left_out(figure, _MOST + taller, styles)]


def _clipped(text: str, width: int) -> str:
    text = " ".join(text.split())
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


# ── along time ───────────────────────────────────────────────────────────────────────────────────


def _columns(figure: Figure, width: int, styles: ChartStyles, taller: int) -> list[Text]:
    """Columns in eighth blocks; where there are more values than cells, in dots, two a cell."""
    lines = []
    height = _HEIGHT + taller // len(figure.series)
    for series in figure.series:
        if len(figure.series) > 1:
            lines.append(Text(series.name, styles.quiet))
        lines += _columns_of(series, figure.labels, width, height, styles)
    return lines


def _columns_of(
    series: Series, labels: Sequence[str], width: int, height: int, styles: ChartStyles
) -> list[Text]:
    values = _numbers(series)
    gutter = _gutter(values, series.unit, width)
    room = width - gutter
    each = _values_a_column(len(values), room)
    parts = (values[at : at + each] for at in range(0, len(values), each))
    shown = [sum(part) / len(part) for part in parts]
    top = _top(shown, series.unit)
    highest = "100%" if series.unit is Unit.SHARE else written(round(top, 1), series.unit)
    wide = min(_WIDEST, room // len(values))
    lines = []
    for row in range(height - 1, -1, -1):
        mark = {height - 1: highest, 0: "0"}.get(row, "")
        side = "┤" if mark else "│"
        cells = _cells(shown, top, height, row, wide)
        lines.append(
            Text.assemble((f"{mark:>{gutter - 1}}{side}", styles.quiet), (cells, styles.ink))
        )
    lines.append(Text(_below(labels, gutter, len(cells)), styles.quiet))
    if each > 1:
        lines.append(Text(f"{'':>{gutter}}a column is the mean of {each}", styles.quiet))
    return lines


def _cells(shown: Sequence[float], top: float, height: int, row: int, wide: int) -> str:
    """Draw a line of columns, which are so many cells wide; where it is none, in dots, two a cell.

    Row 0 is the lowest of `height`.
    """
    parts = 8 if wide else 4
    filled = [
        min(parts, max(0, _filled(value, top, parts * height) - parts * row)) for value in shown
    ]
    if wide:
        return "".join(_UP[each] * wide for each in filled)
    pairs = zip(filled[::2], [*filled[1::2], 0], strict=False)
    dots = (_LEFT[left] | _RIGHT[right] for left, right in pairs)
    return "".join(chr(0x2800 + each) if each else " " for each in dots)


def _gutter(values: Sequence[float], unit: Unit, width: int) -> int:
    """Return the columns of the numbers at the left, and of the line beside them."""
    if unit is Unit.SHARE:
        return 6
    gutter = len(written(max(values), unit)) + 2
    if _values_a_column(len(values), width - gutter) > 1:
        # Means are drawn, which may be longer: 32.3 of 97, 0 and 0.
        gutter = max(gutter, len(written(int(max(values)) + 0.1, unit)) + 2)
    return gutter


def _values_a_column(values: int, room: int) -> int:
    """Return how many values share a column; two columns of dots have a cell."""
    return -(-values // (2 * room)) if values > room else 1


def _numbers(series: Series) -> list[float]:
    return [value or 0.0 for value in series.values]


def _below(labels: Sequence[str], gutter: int, columns: int) -> str:
    """The first and the last label below columns; the first alone where there is no room."""
    first, last = (_clipped(each, max(columns, _SHORTEST)) for each in (labels[0], labels[-1]))
    blank = columns - cell_len(first) - cell_len(last)
    text = first if len(labels) == 1 or blank < 1 else first + " " * blank + last
    return " " * gutter + text


def _calendar(figure: Figure, width: int, styles: ChartStyles, _taller: int) -> list[Text]:
    """A column a week and a line a weekday, the last weeks that there is room for."""
    days = [date.fromisoformat(label) for label in figure.labels]
    values = dict(zip(days, _numbers(figure.series[0]), strict=True))
    last = days[-1]
    monday = last - timedelta(days=last.weekday())
    weeks = min((width - 4) // 2, (monday - days[0]).days // 7 + 2)
    firsts = [monday - timedelta(weeks=ago) for ago in reversed(range(weeks))]
    shown = [value for day, value in values.items() if day >= firsts[0]]
    top = max(shown, default=0.0)
    lines = [Text("    " + _months(firsts), styles.quiet)]
    for weekday in range(7):
        row = [first + timedelta(days=weekday) for first in firsts]
        cells = " ".join(_SHADES[_level(values[day], top)] if day in values else " " for day in row)
        name = "" if weekday % 2 else f"{row[0]:%a}"[:2]
        lines.append(Text.assemble((f"{name:<4}", styles.quiet), (cells, styles.ink)))
    key = f"    {_SHADES[0]} none   {_SHADES[-1]} up to {written(top, figure.series[0].unit)}"
    return [*lines, Text(key, styles.quiet)]


def _level(value: float, top: float) -> int:
    return 0 if value <= 0 or top <= 0 else max(1, -int(-value * (len(_SHADES) - 1) // top))


def _months(firsts: Sequence[date]) -> str:
    """Names of months above the weeks in which they begin, as far as they fit."""
    text = ""
    for place, first in enumerate(firsts):
        new = place == 0 or firsts[place - 1].month != first.month
        if new and len(text) <= 2 * place:
            text = text.ljust(2 * place) + f"{first:%b} "
    return text[: 2 * len(firsts)].rstrip()


# ── curves ───────────────────────────────────────────────────────────────────────────────────────


def _curves(figure: Figure, width: int, styles: ChartStyles, taller: int) -> list[Text]:
    xs = [float(label) for label in figure.labels]
    curves, names = [], []
    last = len(figure.series) - 1
    own = [styles.ink, styles.other, *[styles.ink] * last][: last + 1]
    if last:
        own[last] = styles.quiet  # what the others are compared with
    for place, (sign, series, style) in enumerate(zip(_SIGNS, figure.series, own, strict=False)):
        points = [(x, y) for x, y in zip(xs, series.values, strict=True) if y is not None]
        if points:
            has_all = len(points) <= _SIGNED and not 0 < place == last
            curves.append(Curve(points, sign, style, len(points) if has_all else 1))
            names.append(Text.assemble((sign, style), (f" {series.name}", styles.quiet)))
    drawn = draw_curves(
        curves,
        width=width,
        height=_CURVES + taller,
        label=_on_axis(figure.series[0].unit),
        quiet=styles.quiet,
        marks=xs if len(xs) <= _SIGNED else (),
        x_label=_on_axis(figure.along),
    )
    return [Text("   ").join(names), *drawn.split("\n")]


def _on_axis(unit: Unit) -> Callable[[float], str]:
    """Return how values of a unit are written at an axis."""
    if unit is Unit.SHARE:
        return lambda value: f"{100 * value:.3g}%"
    return "{:g} d".format if unit is Unit.DAYS else "{:g}".format


_DRAWINGS: Mapping[Shape, Callable[[Figure, int, ChartStyles, int], list[Text]]] = {
    Shape.BARS: _bars,
    Shape.TABLE: _table,
    Shape.COLUMNS: _columns,
    Shape.CALENDAR: _calendar,
    Shape.CURVES: _curves,
}
