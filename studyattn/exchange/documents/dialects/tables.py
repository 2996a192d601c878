"""Cards in Markdown itself: tables of question and answer, and `<details>` that hide an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from studyattn.exchange.anki.fields import markdown
from studyattn.exchange.documents.dialects.dialect import Collected, Dialect
from studyattn.exchange.documents.dialects.separated import BACK, FRONT
from studyattn.exchange.documents.draft import Reading
from studyattn.exchange.documents.rows import Headings, is_contents, rows_of, unfenced, without_code

_RULE = re.compile(r"^\s{0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$")
_OPEN = re.compile(r"<details\b[^>]*>", re.IGNORECASE)
_EDGE = re.compile(r"<(?P<closes>/)?details\b[^>]*>", re.IGNORECASE)
_SUMMARY = re.compile(r"<summary\b[^>]*>(.*?)</summary\s*>", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Table:
    line: int
    heading: str
    names: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]

    @property
    def sides(self) -> tuple[int, int] | None:
        """The columns named as question and answer."""
        names = [re.sub(r"[*_`]", "", each).strip().casefold() for each in self.names]
        front = next((at for at, each in enumerate(names) if each in FRONT), None)
        back = next((at for at, each in enumerate(names) if each in BACK), None)
        return None if front is None or back is None else (front, back)


def _tables(text: str) -> Iterator[_Table]:
    """Yield the tables of a text, each with the heading above it."""
    headings = Headings()
    rows = [row if not coded else "" for _, row, coded in rows_of(text)]
    numbers = [number for number, _, _ in rows_of(text)]
    at = 0
    while at < len(rows):
        headings.take(rows[at])
        if at and _RULE.match(rows[at]) and "|" in rows[at - 1]:
            end = at + 1
            while end < len(rows) and "|" in rows[end]:
                end += 1
            body = tuple((numbers[each], _cells(rows[each])) for each in range(at + 1, end))
            yield _Table(numbers[at - 1], headings.last, _cells(rows[at - 1]), body)
            at = end
        else:
            at += 1


def _cells(row: str) -> tuple[str, ...]:
    """Return the cells of a row. A separator in code, or behind a backslash, is text."""
    marked = re.sub(r"\\\|", "\x00\x00", without_code(row))
    begin, cells = 0, []
    for found in re.finditer(r"\|", marked):
        cells.append(row[begin : found.start()])
        begin = found.end()
    cells.append(row[begin:])
    inner = [each.strip().replace("\\|", "|") for each in cells]
    if inner and not inner[0]:
        inner = inner[1:]
    if inner and not inner[-1]:
        inner = inner[:-1]
    return tuple(inner)


def _read_tables(text: str, name: str) -> Reading:
    """Read tables with columns for question and answer; without one, the first two columns."""
    del name
    found = Collected()
    tables = list(_tables(text))
    named = any(each.sides for each in tables)
    for table in tables:
        if named and table.sides is None:
            found.leave(table.line, "a table without columns for question and answer")
            continue
        front, back = table.sides or (0, 1)
        for line, cells in table.rows:
            sides = [cells[at] if at < len(cells) else "" for at in (front, back)]
            found.basic(sides[0], sides[1], line, table.heading)
    return found.reading()


def _has_named_table(_name: str, text: str) -> bool:
    return "|" in text and any(each.sides for each in _tables(text))


def _two_columns(text: str) -> tuple[int, ...]:
    return tuple(each.line for each in _tables(text) if len(each.names) == 2)


# -- <details> -------------------------------------------------------------------------------------


def _read_details(text: str, name: str) -> Reading:
    """Read each outermost `<details>`: its summary asks, what it hides answers."""
    del name
    reader = _Details()
    for number, row, coded in rows_of(text):
        reader.take(number, row, coded=coded)
    if reader.depth:
        reader.found.leave(reader.begin, "<details> is never closed")
    return reader.found.reading()


class _Details:
    """Reads rows one after another, and makes a card where an outermost `<details>` closes."""

    def __init__(self) -> None:
        self.found = Collected()
        self.depth = 0
        self.begin = 0
        self._inside: list[str] = []
        self._headings = Headings()
        self._topic = ""

    def take(self, number: int, row: str, *, coded: bool) -> None:
        """Read one row; in a code fence it is text."""
        rest = row
        if not coded:
            if not self.depth:
                self._headings.take(row)
            while mark := _EDGE.search(rest):
                rest = self._edge(mark, rest, number)
        if self.depth:
            self._inside.append(rest)

    def _edge(self, mark: re.Match[str], rest: str, number: int) -> str:
        """Open or close one; return what follows it in the row."""
        before, after = rest[: mark.start()], rest[mark.end() :]
        if mark["closes"]:
            if self.depth == 1:
                self._inside.append(before)
                _hidden(self.found, "\n".join(self._inside), self.begin, self._topic)
                self._inside = []
            elif self.depth:
                self._inside.append(before + mark[0])
            self.depth = max(0, self.depth - 1)
        else:
            if self.depth:
                self._inside.append(before + mark[0])
            else:
                self.begin, self._topic = number, self._headings.last
            self.depth += 1
        return after


def _hidden(found: Collected, inside: str, line: int, topic: str) -> None:
    summary = _SUMMARY.search(inside)
    if summary is None:
        found.leave(line, "<details> without a <summary>")
        return
    if is_contents(inside[summary.end() :]):
        found.leave(line, "a table of contents")
        return
    asks = " ".join(markdown(summary[1]).split())
    found.basic(asks, inside[summary.end() :], line, topic)


def _detail_lines(text: str) -> tuple[int, ...]:
    return tuple(number for number, row in unfenced(text) if _OPEN.search(without_code(row)))


def _has_details(_name: str, text: str) -> bool:
    return bool(_detail_lines(text)) and _SUMMARY.search(text) is not None


TABLES = Dialect(
    name="table",
    title="tables in Markdown",
    about="columns named question and answer, or front and back",
    recognises=_has_named_table,
    read=_read_tables,
    looks=_two_columns,
    markdown=True,
)
DETAILS = Dialect(
    name="details",
    title="<details> with a <summary>",
    about="the summary is the question, the hidden text is the answer",
    recognises=_has_details,
    read=_read_details,
    looks=_detail_lines,
    markdown=True,
)
