"""The figures of the Stats screen: blocks side by side where there is room, else stacked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING

from textual.content import Content

from studyattn.memory.state import Phase, Rating
from studyattn.store.vocabulary import KNOWN, KNOWN_UNKNOWN
from studyattn.study.statistics.answers import Tally
from studyattn.study.statistics.pages import FIGURES
from studyattn.text.figure import Figure, Row, Shape, Told
from studyattn.tui.formatting import beside, columns, count, join_lines, paragraph
from studyattn.tui.widgets.concept_state import NAMES, sign
from studyattn.tui.widgets.figures import TWO_COLUMNS, draw_figures

if TYPE_CHECKING:
    from studyattn.study.statistics.totals import Statistics

_NARROW = 37  # the least columns of one of two blocks
_BLOCK = 42
_LABEL = 16
_SHADES = "·░▒▓█"
_WEEKS = 18
WEEKDAY = 4
"""Columns of the name of a weekday, beside its weeks."""
_YEAR = 53  # weeks
_DAYS = (30, 60, 90)  # of the reviews per day
_AXIS = 10  # columns of its numbers
_LEAST = 9  # lines of a chart with its title, its sentence and a space
_MONTHS = 12


def draw(statistics: Statistics, today: date, width: int, height: int) -> Content:
    """Draw all blocks; charts of the last days take what is left of the height."""
    if not statistics.reviews:
        return Content.styled("No reviews yet. Figures appear after your first card.", "")
    sentences = [line for told in statistics.meaning for line in paragraph(told, width)]
    above = [*sentences, Content()] if sentences else []
    amounts, ahead, items = _amounts(statistics), _ahead(statistics), _items(statistics)
    ratings = [(each.name.lower(), statistics.ratings.get(each, 0)) for each in Rating]
    answers = _bars("Answers", "answers", ratings, _NARROW - 2)
    held = _bars("Stability", "items", list(statistics.held.items()), _NARROW - 2)
    if width >= TWO_COLUMNS:
        column = width // 3
        first = [*amounts, Content(), *answers]
        last_two = beside([*held, Content()], [*ahead, Content(), *items], column)
        lines = [*above, *beside(first, last_two, column), Content()]
        lines += _past(statistics, today, width, height - len(lines))
        return join_lines(lines)
    two = width >= _NARROW + 36
    weeks = min(_WEEKS, (width - _NARROW - 4) // 2) if two else _WEEKS
    left = [*answers, Content(), *held]
    right = [*_calendar(statistics.by_day, today, weeks), Content(), *ahead]
    if not two:
        blocks = [*amounts, Content(), *left, Content(), *right, Content(), *items]
        return join_lines([*above, *blocks])
    if width < 2 * _BLOCK - 6:
        left, above = [*left, Content(), *items], [*above, *amounts, Content()]
    else:
        left, right = [*amounts, Content(), *left], [*right, Content(), *items]
    lines = [*above, *beside(left, right, max(_NARROW, min(_BLOCK + 8, width - 46)))]
    if height - len(lines) > _LEAST:
        reviews, _ = _last_days(statistics, today, width)
        chart = draw_figures([reviews], width, height - len(lines) - 1)
        lines += [Content(), *chart.split("\n")]
    return join_lines(lines)


def _past(statistics: Statistics, today: date, width: int, height: int) -> list[Content]:
    """The calendar, retention by month, and reviews and minutes of the last days."""
    begun = min(statistics.by_day, default=today)
    weeks = max(_WEEKS, min(_YEAR, (today - begun).days // 7 + 2, (width - 4) // 2))
    lines = _calendar(statistics.by_day, today, weeks)
    between = 2 * weeks + 8
    if width - between >= _BLOCK - 6:
        lines = beside(lines, _months(statistics, width - between, len(lines)), between)
    days = _last_days(statistics, today, width // 2)
    below = draw_figures(days, width, height - len(lines) - 1).split("\n")
    return [*lines, Content(), *below]


def _last_days(statistics: Statistics, today: date, width: int) -> list[Figure]:
    """Return reviews and minutes per day of the last days, each with a column of its own."""
    fitting = [days for days in _DAYS if days <= max(_DAYS[0], width - _AXIS)]
    studied = (today - min(statistics.minutes, default=today)).days + 1
    shown = next((days for days in fitting if days >= studied), fitting[-1])
    first = today - timedelta(days=shown - 1)
    days = {
        day: Tally(statistics.by_day.get(day, 0), 60 * minutes)
        for day, minutes in statistics.minutes.items()
    }
    drawn = (FIGURES[name].drawn(days, first, today) for name in ("reviews", "minutes"))
    return [each for each in drawn if each is not None]


def _months(statistics: Statistics, width: int, height: int) -> list[Content]:
    """The retention of the last months that there is room for, a bar and a number each."""
    if not statistics.months:
        title = Content.styled("Retention by month", "$accent bold")
        return [title, Content.styled("No retention data yet.", "$quiet")]
    shown = list(statistics.months.items())[-min(_MONTHS, height - 2) :]
    rows = [(month, each.share, each.asked) for month, each in shown]
    return _bars("Retention by month", "recalled:%, of", rows, width)


def _row(label: str, value: Content | str, remark: str = "") -> Content:
    gap = "  " if remark else ""
    return Content.assemble((f"{label:<{_LABEL}}", "$quiet"), value, gap, (remark, "$quiet"))


def _amounts(statistics: Statistics) -> list[Content]:
    retention = statistics.retention
    recalled = "—" if retention is None else f"{100 * retention:.0f}%"
    asked = count(statistics.retention_of, "review") if statistics.retention_of else "no review"
    hours = statistics.seconds / 3600
    spent = f"{hours:.1f} h" if hours >= 1 else f"{statistics.seconds / 60:.0f} min"
    return [
        _row("Retention", Content.styled(recalled, "bold"), f"of {asked} in 30 days"),
        _row("Answers", Content.styled(f"{statistics.reviews:,}", "bold"), spent),
        _row("Per card", f"{statistics.seconds_a_card:.0f} s on average"),
        _row("Streak", f"{statistics.streak}"),
    ]


def _bars(title: str, series: str, rows: Sequence[Row], width: int) -> list[Content]:
    """A horizontal bar for each value of the first series."""
    figure = Figure.of("", title, Shape.BARS, "", series, Told("", rows))
    return draw_figures([figure], width).split("\n")


def _items(statistics: Statistics) -> list[Content]:
    phases = statistics.by_phase
    learning = phases.get(Phase.LEARNING, 0) + phases.get(Phase.RELEARNING, 0)
    lines = [
        Content.styled("Items and concepts", "$accent bold"),
        _row("Items begun", f"{statistics.begun:,}", f"of {statistics.items:,}"),
        _row("Learning", f"{learning:,}"),
        _row("In review", f"{phases.get(Phase.REVIEW, 0):,}"),
    ]
    if statistics.suspended or statistics.leeches:
        aside = f"{statistics.suspended} suspended, {count(statistics.leeches, 'leech', 'leeches')}"
        lines.append(_row("Set aside", aside))
    concepts = sum(statistics.concepts.values())
    lines.append(_row("Concepts begun", f"{statistics.concepts_begun:,}", f"of {concepts:,}"))
    lines += [
        Content.assemble(sign(state), f" {NAMES[state]:<{_LABEL - 2}}", f"{number:,}")
        for state in (KNOWN_UNKNOWN, KNOWN)
        if (number := statistics.concepts.get(state, 0))
    ]
    return lines


def _calendar(by_day: Mapping[date, int], today: date, number: int) -> list[Content]:
    """The last weeks under a title."""
    title = Content.styled("Reviews, week by week", "$accent bold")
    return [title, *draw_weeks(by_day, today, number)]


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


def _ahead(statistics: Statistics) -> list[Content]:
    numbers = [number for _, number in statistics.forecast]
    names = "".join(f"{day:%a}"[:2].rjust(5) for day, _ in statistics.forecast)
    amounts = "".join((str(number) if number else "·").rjust(5) for number in numbers)
    bars = columns(numbers, 2, width=2, gap=3)
    return [
        Content.styled("Forecast", "$accent bold"),
        Content.styled(names, "$quiet"),
        Content(amounts),
        *(Content.styled("   " + bar, "$accent") for bar in bars),
    ]
