"""Figures of statistics on a screen: below each other, or in two columns where there is room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from rich.text import Text
from textual.content import Content, Span

from studyattn.text.chart import Styles, chart_lines, most_taller
from studyattn.text.figure import Figure
from studyattn.tui.formatting import beside, join_lines

TWO_COLUMNS: Final = 124
"""Columns from which figures are drawn side by side."""

WEEKDAY: Final = 4
"""Columns of the name of a weekday, beside its weeks."""
_SHADES: Final = "·░▒▓█"
_GAP: Final = 4
_WIDEST: Final = 110
_STYLES: Final = Styles(title="$accent bold", ink="$accent", other="$wrong", quiet="$quiet")


def draw_figures(figures: Sequence[Figure], width: int, height: int = 0) -> Content:
    """Draw all figures within so many columns, in their order: down the left, then the right.

    Where they take fewer lines than `height`, charts are drawn taller.
    """
    if width < TWO_COLUMNS or len(figures) < 2:
        return join_lines(_stacked(figures, min(width, _WIDEST), height))
    column = (width - _GAP) // 2
    heights = [len(_lines(each, column)) + 1 for each in figures]
    # The split at which the longer side is shortest.
    split = min(range(1, len(figures)), key=lambda at: max(sum(heights[:at]), sum(heights[at:])))
    left, right = (_stacked(part, column, height) for part in (figures[:split], figures[split:]))
    return join_lines(beside(left, right, column + _GAP))


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
    return [_content(line) for line in chart_lines(figure, width, _STYLES, taller)]


def _content(line: Text) -> Content:
    """Rich text whose styles are words of the theme, which Rich itself could not read."""
    spans = [Span(each.start, each.end, str(each.style)) for each in line.spans if each.style]
    content = Content(line.plain, spans)
    return content.stylize_before(str(line.style)) if line.style else content


def draw_weeks(by_day: Mapping[date, int], today: date, number: int) -> list[Content]:
    """The last weeks, a column a week, a line a weekday; more reviews, a fuller square."""
    monday = today - timedelta(days=today.weekday())
    weeks = [monday - timedelta(weeks=ago) for ago in reversed(range(number))]
    top = max(by_day.values(), default=0)
    lines = []
    for weekday in range(7):
        days = [week + timedelta(days=weekday) for week in weeks]
        levels = [-(-by_day.get(day, 0) * (len(_SHADES) - 1) // max(1, top)) for day in days]
        cells = [
            " " if day > today else _SHADES[level] for day, level in zip(days, levels, strict=True)
        ]
        name = f"{days[0]:%a}"[:2] if weekday in (0, 2, 4) else ""
        shown = (f"{name:<{WEEKDAY}}", "$quiet"), (" ".join(cells), "$accent")
        lines.append(Content.assemble(*shown))
    return lines
