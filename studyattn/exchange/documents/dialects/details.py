"""Cards that `<details>` hide: the summary asks, the hidden text answers."""

from __future__ import annotations

import re

from studyattn.exchange.anki.fields import markdown
from studyattn.exchange.documents.dialects.dialect import Collected, Dialect
from studyattn.exchange.documents.draft import Reading
from studyattn.exchange.documents.rows import Headings, is_contents, rows_of, unfenced, without_code

_OPEN = re.compile(r"<details\b[^>]*>", re.IGNORECASE)
_EDGE = re.compile(r"<(?P<closes>/)?details\b[^>]*>", re.IGNORECASE)
_SUMMARY = re.compile(r"<summary\b[^>]*>(.*?)</summary\s*>", re.IGNORECASE | re.DOTALL)


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


DETAILS = Dialect(
    name="details",
    title="<details> with a <summary>",
    about="the summary is the question, the hidden text is the answer",
    recognises=_has_details,
    read=_read_details,
    looks=_detail_lines,
    markdown=True,
)
