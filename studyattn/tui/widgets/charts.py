"""The figures of the Stats screen: blocks side by side where there is room, else stacked."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING

from textual.content import Content

from studyattn.memory.state import Phase, Rating
from studyattn.store.vocabulary import KNOWN, KNOWN_UNKNOWN
from studyattn.tui.formatting import beside, columns, count, join_lines
from studyattn.tui.widgets.concept_state import NAMES, sign

if TYPE_CHECKING:
    from studyattn.study.statistics.totals import Statistics

_BLOCK = 42
_LABEL = 16
_BAR = 16
_SHADES = "·░▒▓█"
_WEEKS = 18


def draw(statistics: Statistics, today: date, width: int) -> Content:
    """Draw all blocks."""
    if not statistics.reviews:
        return Content.styled(
            "Nothing was reviewed yet. The figures begin with the first card.", ""
        )
    left = [
        *_amounts(statistics),
        Content(),
        *_bars("Answers", {each.name.lower(): statistics.ratings.get(each, 0) for each in Rating}),
        Content(),
        *_bars("Held for", statistics.held),
    ]
    right = [
        *_calendar(statistics.by_day, today),
        Content(),
        *_ahead(statistics),
        Content(),
        *_items(statistics),
    ]
    if width < 2 * _BLOCK - 6:
        return join_lines([*left, Content(), *right])
    return join_lines(beside(left, right, _BLOCK if width < 96 else _BLOCK + 8))


def _row(label: str, value: Content | str, remark: str = "") -> Content:
    gap = "  " if remark else ""
    return Content.assemble((f"{label:<{_LABEL}}", "$quiet"), value, gap, (remark, "$quiet"))


def _amounts(statistics: Statistics) -> list[Content]:
    retention = statistics.retention
    recalled = "—" if retention is None else f"{100 * retention:.0f} %"
    asked = count(statistics.retention_of, "review") if statistics.retention_of else "no review"
    hours = statistics.seconds / 3600
    spent = f"{hours:.1f} h" if hours >= 1 else f"{statistics.seconds / 60:.0f} min"
    return [
        _row("Recalled", Content.styled(recalled, "bold"), f"of {asked} in 30 days"),
        _row("Answers", Content.styled(f"{statistics.reviews:,}", "bold"), spent),
        _row("A card takes", f"{statistics.seconds_a_card:.0f} s"),
        _row("Days in a row", f"{statistics.streak}"),
    ]


def _bars(title: str, amounts: Mapping[str, int]) -> list[Content]:
    """A horizontal bar for each amount."""
    top = max(amounts.values(), default=0) or 1
    lines = [Content.styled(title, "$accent bold")]
    for label, amount in amounts.items():
        filled = max(1, amount * _BAR // top) if amount else 0
        bar = Content.assemble(("█" * filled, "$accent"), " " * (_BAR - filled))
        lines.append(Content.assemble((f"{label:<{_LABEL}}", "$quiet"), bar, f"{amount:>6,}"))
    return lines


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


def _calendar(by_day: Mapping[date, int], today: date) -> list[Content]:
    """The last weeks, a column a week, a line a weekday; more reviews, a fuller square."""
    monday = today - timedelta(days=today.weekday())
    weeks = [monday - timedelta(weeks=ago) for ago in reversed(range(_WEEKS))]
    top = max(by_day.values(), default=0)
    lines = [Content.styled("Reviews, week by week", "$accent bold")]
    for weekday in range(7):
        days = [week + timedelta(days=weekday) for week in weeks]
        levels = [-(-by_day.get(day, 0) * (len(_SHADES) - 1) // max(1, top)) for day in days]
        cells = [
            " " if day > today else _SHADES[level] for day, level in zip(days, levels, strict=True)
        ]
        name = f"{days[0]:%a}"[:2] if weekday in (0, 2, 4) else ""
        lines.append(Content.assemble((f"{name:<4}", "$quiet"), (" ".join(cells), "$accent")))
    return lines


def _ahead(statistics: Statistics) -> list[Content]:
    numbers = [number for _, number in statistics.forecast]
    names = "".join(f"{day:%a}"[:2].rjust(5) for day, _ in statistics.forecast)
    amounts = "".join((str(number) if number else "·").rjust(5) for number in numbers)
    bars = columns(numbers, 2, width=2, gap=3)
    return [
        Content.styled("Next days", "$accent bold"),
        Content.styled(names, "$quiet"),
        Content(amounts),
        *(Content.styled("   " + bar, "$accent") for bar in bars),
    ]
