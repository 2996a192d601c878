"""Flashcards as the plugin “Spaced Repetition” of Obsidian reads them from notes.

question::answer            a card; ::: asks both ways
question, a line ?, answer  the same over several lines; ?? asks both ways
a text with ==gaps==        a card for each gap, with a hint in ^[…] and a number in [^1]
#flashcards/deck            the notes that have cards, and the deck of what follows
<!--SR:!2026-01-05,3,250--> when each card of the text before it is due: day, interval, ease
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from studyattn.exchange.documents.dialects.dialect import Collected, Dialect
from studyattn.exchange.documents.draft import LearnedBefore, Reading
from studyattn.exchange.documents.rows import (
    Headings,
    has_gap,
    numbered,
    rows_of,
    unfenced,
    without_code,
)
from studyattn.text.counting import count

_TAG = re.compile(r"(?<!\S)#flashcards?(?P<deck>(?:/[\w-]+)*)(?!\S)", re.IGNORECASE)
_TAG_ABOVE = re.compile(
    r"^---\n(?:.*\n)*?(?:tags?:(?:.*|\n)(?:\s*-\s.*\n)*?.*\bflashcards?\b)", re.IGNORECASE
)
_SCHEDULE = re.compile(r"<!--\s*SR:(?P<cards>(?:![^!>]*?)+)\s*-->")
_CARD = re.compile(r"!(\d{4}-\d\d-\d\d),(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)")
_INLINE = re.compile(r"(?P<front>.*?\S)\s*(?P<mark>:::?)(?!:)\s*(?P<back>\S.*)")
_HALF = re.compile(r"^\s*:::?\s*\S|\S\s*:::?\s*$")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_GAP = re.compile(
    r"==(?P<text>(?:(?!==).)+?)==(?:\^\[(?P<hint>[^\]\n]+)\])?(?:\[\^(?P<group>\d+|[ash]+)\])?",
    re.DOTALL,
)
_SECOND: Final = {"?": False, "??": True}
"""The rows between the sides of a card, and whether it is asked both ways."""
_ESCAPED = re.compile(r"^\\(?=\?{1,2}$|#{1,6}\s)")
_END: Final = "+++"
"""A row that ends a card whose sides have blank lines, where the plugin is set so."""
_LARGEST_INTERVAL: Final = 36_500.0  # days
NEW: Final = "2000-01-01"
"""The due day that the plugin gives a new card whose sibling has a schedule."""


@dataclass(slots=True)
class _Row:
    number: int
    text: str
    coded: bool


def _read(text: str, name: str) -> Reading:
    del name
    reader = _Reader()
    for block in _blocks(text):
        reader.take(block)
    if re.search(r"^sr-due:", text, re.MULTILINE):
        reader.found.remarks.append("The due date of the whole note (sr-due) is not imported")
    if unread := _unread(text):
        what = count(unread, "schedule")
        reader.found.remarks.append(f"{what} cannot be read, so the cards start as new")
    if reader.scheduled:
        reader.found.kinds["with a memory"] = reader.scheduled
    return reader.found.reading()


class _Reader:
    """Reads the blocks of a note one after another, under its headings and tags."""

    def __init__(self) -> None:
        self.found = Collected()
        self.scheduled = 0
        self._headings = Headings()
        self._deck = ""

    def take(self, block: list[_Row]) -> None:
        """Read the cards of one block: rows without a blank one between them."""
        rows, above = list(block), self._headings.last
        while rows and self._is_heading(rows[0]):
            if len(rows) > 1 and _is_second(rows[1]):  # the plugin asks a heading above a line ?
                rows[0].text, self._headings.last = self._headings.last, above
                break
            above = self._headings.last
            rows.pop(0)
        tag = next((found for row in rows if not row.coded and (found := _tagged(row.text))), None)
        if tag is not None:
            deck = tag["deck"].strip("/").split("/")[-1]
            alone = any(not row.coded and not _untagged(row.text) for row in rows)
            if alone:  # a row of tags alone holds for all that follows
                self._deck = deck
            for row in rows:
                row.text = row.text if row.coded else _untagged(row.text)
            rows = [row for row in rows if row.coded or row.text]
            topic = deck or self._headings.last
        else:
            topic = self._deck or self._headings.last
        middle = next((at for at, row in enumerate(rows) if _is_second(row)), None)
        if middle is not None:
            self._two_sided(rows, middle, topic)
        elif rows:
            self._rows(rows, topic)

    def _is_heading(self, row: _Row) -> bool:
        return not row.coded and self._headings.take(row.text)

    def _two_sided(self, rows: Sequence[_Row], middle: int, topic: str) -> None:
        front, _ = _parted(rows[:middle])
        back, memories = _parted(rows[middle + 1 :])
        line = rows[0].number
        if not front or not back:
            side = "answer" if front else "question"
            self.found.leave(
                rows[middle].number, f"no {side} next to the line {rows[middle].text.strip()}"
            )
            return
        both = _SECOND[rows[middle].text.strip()]
        places = self.found.basic(front, back, line, topic, reversed_too=both)
        self._learn(places, memories, line)

    def _rows(self, rows: Sequence[_Row], topic: str) -> None:
        """Read the cards of single rows; rows with none of them are a text that may have gaps."""
        places: list[int] = []
        inline = False
        for row in rows:
            memories = list(_schedule(row.text))
            words = _SCHEDULE.sub("", row.text).strip()
            if not row.coded and words:
                front, mark, back = _sides(words)
                if mark:
                    inline = True
                    both = mark == ":::"
                    places = self.found.basic(front, back, row.number, topic, reversed_too=both)
                elif _HALF.search(without_code(words)):
                    self.found.leave(row.number, "one side of :: is empty")
            if memories and places:
                self._learn(places, memories, row.number)
                places = []
        text, memories = _parted(rows)
        if not inline and has_gap(_GAP, text):
            self._gaps(text, memories, rows[0].number, topic)
        elif not inline and memories:
            self.found.leave(rows[0].number, "a schedule (SR) without a card before it")

    def _gaps(
        self, text: str, memories: Sequence[LearnedBefore | None], line: int, topic: str
    ) -> None:
        if any(not (found["group"] or "1").isdigit() for found in _GAP.finditer(text)):
            self.found.leave(line, "gaps that overlap ([^ash]) are not read")
            return
        places = self.found.gaps(numbered(_GAP, _BULLET.sub("", text, count=1)), line, topic)
        self._learn(places, memories, line)

    def _learn(
        self, places: Sequence[int], memories: Sequence[LearnedBefore | None], line: int
    ) -> None:
        self.scheduled += self.found.learn(places, memories)
        if len(memories) > len(places):
            self.found.leave(line, "the schedule (SR) covers more cards than the note has")


def _blocks(text: str) -> Iterator[list[_Row]]:
    """Yield runs of rows without a blank one between them; a code fence is part of its run.

    Where a card ends with a row +++, blank rows before it are part of it.
    """
    rows = [_Row(*row) for row in rows_of(text)]
    ends = {at for at, row in enumerate(rows) if not row.coded and row.text.strip() == _END}
    block: list[_Row] = []
    for at, row in enumerate(rows):
        blank = not row.coded and not row.text.strip()
        if at in ends or (blank and not _goes_on(rows, at, ends)):
            if block:
                yield block
            block = []
        elif not blank or block:
            block.append(row)
    if block:
        yield block


def _goes_on(rows: Sequence[_Row], at: int, ends: set[int]) -> bool:
    """Return whether a blank row is within a card that a later row +++ ends."""
    end = min((each for each in ends if each > at), default=None)
    begin = max((each for each in ends if each < at), default=-1)
    return end is not None and any(_is_second(row) for row in rows[begin + 1 : at])


def _is_second(row: _Row) -> bool:
    return not row.coded and row.text.strip() in _SECOND


def _parted(rows: Sequence[_Row]) -> tuple[str, list[LearnedBefore | None]]:
    """Return the text of some rows without its schedule, and the schedule."""
    memories = [memory for row in rows for memory in _schedule(row.text)]
    kept = [row.text if row.coded else _shown(_SCHEDULE.sub("", row.text)) for row in rows]
    return "\n".join(kept).strip(), memories


def _shown(row: str) -> str:
    """Return a row as it is meant: `<br>` alone stands for a blank one, which would end a card."""
    row = row.rstrip()
    return "" if row == "<br>" else _ESCAPED.sub("", row)


def _sides(row: str) -> tuple[str, str, str]:
    """Return question, mark and answer of a row; without a card, three empty texts."""
    found = _INLINE.fullmatch(without_code(row))
    if found is None:
        return "", "", ""
    front = _BULLET.sub("", row[: found.end("front")])
    return front, found["mark"], row[found.start("back") :]


def _schedule(row: str) -> Iterator[LearnedBefore | None]:
    """Yield the memory of each card that a schedule names; None for a new one.

    None also for one that cannot be read, which `_unread` counts.
    """
    for part in _parts(row):
        found, due = _CARD.match(part), _due(part)
        if found is None or due is None or found[1] == NEW:
            yield None
        else:
            interval = min(max(float(found[2]), 1.0), _LARGEST_INTERVAL)
            yield LearnedBefore(due, interval, min(max(float(found[3]), 130.0), 9999.0) * 10)


def _unread(text: str) -> int:
    """Count the schedules of cards that cannot be read."""
    return sum(_due(part) is None for part in _parts(text))


def _parts(text: str) -> Iterator[str]:
    """Yield what the schedules in a text say of each card."""
    for comment in _SCHEDULE.finditer(text):
        yield from re.findall(r"![^!]*", comment["cards"])


def _due(part: str) -> date | None:
    found = _CARD.match(part)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:  # 2026-13-45
        return None


def _tagged(row: str) -> re.Match[str] | None:
    return _TAG.search(without_code(row))


def _untagged(row: str) -> str:
    return _TAG.sub("", row).strip() if _tagged(row) else row


def _recognises(_name: str, text: str) -> bool:
    """Return whether a note is tagged for flashcards, or has been reviewed with the plugin."""
    return (
        bool(_SCHEDULE.search(text))
        or bool(_TAG_ABOVE.match(text))
        or any(_tagged(row) for _, row in unfenced(text))
    )


def _looks(text: str) -> tuple[int, ...]:
    found = []
    for number, row in unfenced(text):
        marked = without_code(row)
        one_word = re.match(
            r"^\s*(?:[-*+]\s+)?[\w-]+::\s", marked
        )  # a property of Logseq, Dataview
        inline = _INLINE.fullmatch(marked)
        spaced = inline and (" " in inline["front"] or inline["mark"] == ":::" or " :: " in marked)
        if (spaced and not one_word) or row.strip() in _SECOND:
            found.append(number)
    return tuple(found)


OBSIDIAN = Dialect(
    name="obsidian",
    title="Obsidian's flashcards",
    about="#flashcards (plugin Spaced Repetition); question::answer, :::, a line ?, ==gaps==",
    recognises=_recognises,
    read=_read,
    looks=_looks,
    markdown=True,
)
