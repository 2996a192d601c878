"""Numbers and times as the screens write them, and the pictures made of block characters.

Pure functions of plain values, so that they can be tested without a screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone
from typing import TYPE_CHECKING

from textual.content import Content
from textual.style import Style

from studyattn.memory.days import ROLLOVER_HOUR, learner_day
from studyattn.text.counting import count as count  # noqa: PLC0414 - screens take it from here

if TYPE_CHECKING:
    from studyattn.memory.state import Rating

READING_WIDTH = 72  # columns of running text, at most

_EIGHTHS = "▁▂▃▄▅▆▇█"


def minutes(seconds: float) -> str:
    """`about 9 min`, `under a minute`."""
    if seconds < 60:
        return "under a minute"
    if seconds < 5400:
        return f"about {round(seconds / 60)} min"
    return f"about {seconds / 3600:.1f} h"


def time_of_day(at: datetime, utc_offset: int) -> str:
    """`16:40` on the learner's clock. `utc_offset` in minutes east of UTC."""
    return at.astimezone(timezone(timedelta(minutes=utc_offset))).strftime("%H:%M")


def day_name(day: date, today: date) -> str:
    """`today`, `tomorrow`, `yesterday`, a weekday within the week, else `21 Nov`."""
    away = (day - today).days
    if away in (-1, 0, 1):
        return ("yesterday", "today", "tomorrow")[away + 1]
    if -7 < away < 7:
        return day.strftime("%a")
    return short_date(day, today)


def short_date(day: date, today: date) -> str:
    """`21 Nov`, `21 Nov 2025` when it is another year."""
    written = f"{day.day} {day:%b}"
    return written if day.year == today.year else f"{written} {day.year}"


@dataclass(frozen=True, slots=True)
class Days:
    """The learner days around an instant: all sentences count days by them, as intervals do."""

    now: datetime
    utc_offset: int  # minutes east of UTC on the learner's clock
    rollover_hour: int = ROLLOVER_HOUR

    @property
    def today(self) -> date:
        return self.of(self.now)

    def of(self, at: datetime) -> date:
        """Return the learner day of an instant."""
        return learner_day(at, self.utc_offset, self.rollover_hour)

    def when(self, at: datetime) -> str:
        """`today 16:40`, `tomorrow`, `Thu`, `3 Jan 2027`: how exactly depends on how near it is."""
        day = self.of(at)
        name = day_name(day, self.today)
        return f"{name} {time_of_day(at, self.utc_offset)}" if day == self.today else name

    def date_of(self, at: datetime) -> str:
        """`21 Nov`, `21 Nov 2025` when it is another year."""
        return short_date(self.of(at), self.today)


def progress_bar(share: float, width: int) -> Content:
    """Return a bar of `width` columns with `share` (0 to 1) filled; full at 1 only."""
    filled = int(share * width)
    return Content.assemble(("█" * filled, "$accent"), ("░" * (width - filled), "$rule"))


def sparkline(values: Sequence[int]) -> str:
    """One character a value, none for a day of rest."""
    top = max(values, default=0)
    return "".join("·" if value == 0 else _EIGHTHS[_level(value, top, 8)] for value in values)


def _level(value: int, top: int, levels: int) -> int:
    """Return a level from 0 to `levels` − 1: the greatest value has the top, the least is seen."""
    return max(0, min(levels - 1, -(-value * levels // max(1, top)) - 1))


def columns(values: Sequence[int], height: int, *, width: int = 2, gap: int = 2) -> list[str]:
    """Bars side by side, `height` lines tall, top line first; each bar is `width` wide."""
    top = max(values, default=0)
    lines = []
    for row in range(height - 1, -1, -1):
        cells = []
        for value in values:
            eighths = _level(value, top, 8 * height) + 1 - 8 * row if value > 0 else 0
            cells.append(_EIGHTHS[min(eighths, 8) - 1] if eighths > 0 else " ")
        lines.append((" " * gap).join(cell * width for cell in cells))
    return lines


def rating_style(rating: Rating) -> str:
    """Return the theme's colour of a rating; its key or name is always beside it."""
    return f"${rating.name.lower()}"


def clip(text: str, width: int) -> Content:
    """`text` on one line of at most `width` columns, with an ellipsis where it was cut."""
    content = Content(" ".join(text.split()))
    return content if content.cell_length <= width else content.truncate(width, ellipsis=True)


def pad(text: Content | str, width: int, *, right: bool = False) -> Content:
    """Exactly `width` columns: clipped, or filled with blanks at the end (`right`: in front)."""
    content = text if isinstance(text, Content) else clip(text, width)
    if content.cell_length > width:
        content = content.truncate(width, ellipsis=True)
    blank = " " * (width - content.cell_length)
    return Content.assemble(blank, content) if right else Content.assemble(content, blank)


def paragraph(text: Content | str, width: int) -> list[Content]:
    """`text` broken between words into lines of at most `width` columns."""
    content = text if isinstance(text, Content) else Content(text)
    return [line.rstrip() for line in content.wrap(max(1, width))]


def flow(parts: Iterable[Content], width: int, gap: str = " · ") -> list[Content]:
    """Parts one after another, in as many lines as they take; breaks are between them."""
    lines: list[Content] = []
    for part in parts:
        line = Content.assemble(lines[-1], gap, part) if lines else part
        if lines and line.cell_length <= width:
            lines[-1] = line
        else:
            lines += paragraph(part, width)
    return lines


def beside(left: Sequence[Content], right: Sequence[Content], width: int) -> list[Content]:
    """Two blocks of lines side by side, the right one beginning at column `width`."""
    lines = []
    for row in range(max(len(left), len(right))):
        first = left[row] if row < len(left) else Content()
        second = right[row] if row < len(right) else Content()
        lines.append(Content.assemble(pad(first, width), second))
    return lines


def clickable(text: Content, call: str) -> Content:
    """The text, a click on which runs an action."""
    return text.stylize(Style.from_meta({"@click": call}))


def tabs(names: Mapping[str, str], chosen: str, gap: int = 2) -> Content:
    """Names side by side, by the action that a click on one runs; that of `chosen` underlined."""
    parts = []
    for call, name in names.items():
        style = "$accent bold underline" if call == chosen else "$quiet"
        parts.append(clickable(Content.styled(name, style), call))
    return Content(" " * gap).join(parts)


Part = Content | str | tuple[str, str]  # a piece of a line: as it is, or a text with its style


@dataclass(slots=True)
class Lines:
    """A text for a width, written line by line."""

    width: int
    lines: list[Content] = field(default_factory=list)

    @property
    def content(self) -> Content:
        """The text written so far."""
        return join_lines(self.lines)

    def add(self, *parts: Part) -> None:
        """Write a line of these parts; an empty one without any."""
        self.lines.append(Content.assemble(*parts))

    def quiet(self, text: str) -> None:
        """Write a line of less important text."""
        self.add((text, "$quiet"))

    def wrap(self, text: Content | str, style: str = "", mark: Part = "") -> None:
        """Write a text on as many lines as it needs, behind a mark that the first one has."""
        before = Content.assemble(mark)
        room = self.width - before.cell_length
        written = text if isinstance(text, Content) else Content.styled(text, style)
        for row, line in enumerate(paragraph(written, room)):
            self.add(" " * before.cell_length if row else before, line)


def join_lines(lines: Iterable[Content]) -> Content:
    """Lines as one content."""
    return Content("\n").join(list(lines))
