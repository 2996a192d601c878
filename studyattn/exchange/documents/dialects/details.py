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


def _read_details(text: str, _name: str) -> Reading:
    """Read each outermost `<details>`: its summary asks, what it hides answers."""
    found = Collected()
    rows = rows_of(text)
    whole = "\n".join(row for _, row, _ in rows)
    shown = "\n".join("\x00" * len(row) if coded else row for _, row, coded in rows)
    headings, above = Headings(), []
    for row in shown.split("\n"):
        headings.take(row)
        above.append(headings.last)
    opened: list[re.Match[str]] = []
    for edge in _EDGE.finditer(shown):
        if not edge["closes"]:
            opened.append(edge)
        elif opened:
            begin = opened.pop()
            at = whole.count("\n", 0, begin.start())
            if not opened:
                _hidden(found, whole[begin.end() : edge.start()], rows[at][0], above[at])
    if opened:
        at = whole.count("\n", 0, opened[0].start())
        found.leave(rows[at][0], "<details> is never closed")
    return found.reading()


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
