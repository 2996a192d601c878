"""Reviews per day as a small drawing: half a year of weeks up to the last day of study. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from studyattn.exchange.html.content import Studied
from studyattn.exchange.learning_note.writer import day_text
from studyattn.text.counting import count

WEEKS: Final = 26
_CELL: Final = 10
_STEP: Final = 13
_LEVELS: Final = 4


def calendar(studied: Studied) -> str:
    """An `svg` with a column a week and a row a day, darker the more was done; none for nothing."""
    last = studied.last
    if last is None:
        return ""
    counts = dict(studied.days)
    first = last - timedelta(days=last.weekday() + 7 * (WEEKS - 1))
    most = max(taken for day, taken in studied.days if day >= first)
    label = f"Reviews per day from {day_text(first)} to {day_text(last)}, maximum {most}"
    cells = "".join(_cells(counts, first, last, most))
    width, height = WEEKS * _STEP, 7 * _STEP
    return (
        f'<svg class="calendar" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">'
        f"{cells}</svg>"
    )


def _cells(counts: dict[date, int], first: date, last: date, most: int) -> Iterator[str]:
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        taken = counts.get(day, 0)
        level = 0 if not taken else -(-taken * _LEVELS // most)
        yield (
            f'<rect class="n{level}" x="{number // 7 * _STEP}" y="{number % 7 * _STEP}"'
            f' width="{_CELL}" height="{_CELL}" rx="2">'
            f"<title>{day_text(day)}: {count(taken, 'review')}</title></rect>"
        )
