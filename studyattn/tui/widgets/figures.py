"""Figures of statistics on a screen, in as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from textual.content import Content, Span

from studyattn.text.chart import ChartStyles, chart_lines, most_taller
from studyattn.text.figure import Figure, Shape
from studyattn.tui.formatting import beside, join_lines

_LEAST: Final = 60
_GAP: Final = 4
_WIDEST: Final = 110
_STYLES: Final = ChartStyles(title="$accent bold", ink="$accent", other="$wrong", quiet="$quiet")


def draw_figures(
    figures: Sequence[Figure], width: int, height: int = 0, least: int = _LEAST
) -> Content:
    """Draw all figures in their order, in as many columns of `least` or more as fit in `width`.

    Where they take fewer lines than `height`, charts are drawn taller.
    """
    number = max(1, min(len(figures), (width + _GAP) // (least + _GAP)))
    column = min(_WIDEST, (width - _GAP * (number - 1)) // number)
    lines: list[Content] = []
    for place, part in enumerate(_flowed(figures, column, number)):
        lines = beside(lines, _stacked(part, column, height), place * (column + _GAP))
    return join_lines(lines)


def _flowed(figures: Sequence[Figure], width: int, number: int) -> list[list[Figure]]:
    """Part the figures among so many columns, the longest of which is as short as can be."""
    heights = [len(_lines(each, width)) + 1 for each in figures]
    columns: list[list[Figure]] = []
    for most in range(max(heights), sum(heights) + 1):
        columns, room = [], 0
        for figure, lines in zip(figures, heights, strict=True):
            if lines > room:
                columns.append([])
                room = most
            columns[-1].append(figure)
            room -= lines
        if len(columns) <= number:
            break
    return columns


def _stacked(figures: Sequence[Figure], width: int, height: int) -> list[Content]:
    """Figures below each other, an empty line between them; charts share the lines to spare."""
    spare = height - sum(len(_lines(each, width)) + 1 for each in figures) + 1
    lines: list[Content] = []
    waiting = sum(most_taller(each) > 0 for each in figures)
    for figure in figures:
        taller = 0
        if (most := most_taller(figure)) and spare > 0:
            taller = min(most, spare // waiting)
            waiting, spare = waiting - 1, spare - taller
        lines += [*([Content()] if lines else []), *_lines(figure, width, taller)]
    return lines


def _lines(figure: Figure, width: int, taller: int = 0) -> list[Content]:
    """Draw a figure; the styles of its text are words of the theme, which Rich could not read."""
    lines = []
    for line in chart_lines(figure, width, _STYLES, taller):
        spans = [Span(each.start, each.end, str(each.style)) for each in line.spans if each.style]
        lines.append(Content(line.plain, spans).stylize_before(str(line.style)))
    return lines


def weeks(by_day: Mapping[date, int], today: date, title: str) -> Figure:
    """Return the calendar of reviews of all days up to today."""
    first = min(by_day, default=today)
    days = (first + timedelta(days=at) for at in range((today - first).days + 1))
    rows = [(day, by_day.get(day, 0)) for day in days]
    return Figure.of("", title, Shape.CALENDAR, "", "reviews", rows)
