"""The rows of a text: which are code, marks of cards outside of code, headings above them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from studyattn.exchange.anki.clozes import read_clozes
from studyattn.text import cloze

_FENCE = re.compile(r"^\s*(?:[-*+>]\s+)*(`{3,}|~{3,})")
_RULE = re.compile(r"^\s{0,3}([-*_])(?:\s*\1){2,}\s*$")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(?P<title>.+?)\s*#*\s*$")
ITEM: Final = r"(?:[-*+]|\d+[.)])"
"""The sign of a list item, as a part of patterns."""
_IN_PAGE = re.compile(r"\]\(#[^)]*\)")
_LINK_ALONE = re.compile(r"^[^\w\[]*(?:\d+\W*)?\[[^\[\]]*\]\([^()]*\)\W*$")
_FEW_LINKS: Final = 2
"""Links that may be an answer; more of them are a table of contents."""
_CODE = re.compile(r"(`+)(?:(?!\1).)+?\1")
_IN_CODE = re.compile(r"(`+)(?:(?!\1).)+?\1|\$\$.*?\$\$|\$[^$\s][^$]*\$")


def is_contents(text: str) -> bool:
    """Return whether a text is a table of contents: most of its rows are nothing but links."""
    rows = [row for row in text.split("\n") if row.strip()]
    inside = sum(bool(_IN_PAGE.search(row)) for row in rows)
    links = sum(bool(_LINK_ALONE.match(row)) for row in rows)
    return 2 * inside > len(rows) or (2 * links > len(rows) and links > _FEW_LINKS)


def without_code(row: str) -> str:
    """Return a row with code and formulas blanked: marks in them are no marks of cards."""
    return _IN_CODE.sub(lambda found: "\x00" * len(found[0]), row)


def masked(text: str, *, formulas: bool = False) -> str:
    """Return a text with its code blanked, and its formulas unless marks may stand in these."""
    rows = rows_in(text.split("\n"), 1)
    fenced = "\n".join("\x00" * len(row.text) if row.coded else row.text for row in rows)
    if not formulas:
        return without_code(fenced)
    return _CODE.sub(lambda found: "\x00" * len(found[0]), fenced)


class Row(NamedTuple):
    """A row of a text, with its number."""

    line: int
    text: str
    coded: bool = False
    """It is in a code fence, or is the first or last row of one."""

    @property
    def mark(self) -> str:
        """Its text, for a row that may be nothing but a mark; empty in code."""
        return "" if self.coded else self.text.strip()

    @property
    def blank(self) -> bool:
        """True for a row without text that is no code."""
        return not self.coded and not self.text.strip()

    @property
    def is_rule(self) -> bool:
        """True for a line across the page."""
        return not self.coded and _RULE.match(self.text) is not None

    @property
    def heading(self) -> str:
        """The title, if it is a heading; else empty."""
        found = None if self.coded else _HEADING.match(self.text)
        return found["title"] if found else ""


def unfenced(text: str) -> Iterator[str]:
    """Yield the rows of a text outside of front matter and code fences."""
    return (row.text for row in rows_of(text) if not row.coded)


@lru_cache(maxsize=2)  # all dialects look at one document after another
def rows_of(text: str) -> tuple[Row, ...]:
    """Return each row. Front matter is left out."""
    rows = text.split("\n")
    start = 0
    if (mark := rows[0].rstrip()) in {"---", "+++"}:
        end = next((at for at, row in enumerate(rows[1:], 1) if row.rstrip() == mark), None)
        start = 0 if end is None else end + 1
    return tuple(rows_in(rows[start:], start + 1))


def rows_in(rows: Iterable[str], line: int) -> Iterator[Row]:
    """Yield rows that begin at `line` of a text."""
    fence = ""
    for number, row in enumerate(rows, start=line):
        mark = None if fence else _FENCE.match(row)
        yield Row(number, row, bool(fence or mark))
        if mark:
            fence = mark[1]
        elif fence and row.strip().startswith(fence) and not row.strip().strip(fence[0]):
            fence = ""


@dataclass(slots=True)
class Part:
    """Rows from one with a mark up to the next one: what is before the first has no `head`."""

    line: int
    head: re.Match[str] | None = None
    rows: list[Row] = field(default_factory=list)
    """The words behind the mark, then the rows below."""

    @property
    def mark(self) -> str:
        """The mark; empty for what only ends the part before it."""
        return (self.head["mark"] or "") if self.head else ""

    @property
    def text(self) -> str:
        """Its words."""
        return "\n".join(row.text for row in self.rows).strip()


def cut(rows: Sequence[Row], mark: re.Pattern[str]) -> Sequence[Part]:
    """Return the parts that rows with a mark begin.

    The pattern names the `mark` of a row, and the `text` behind it where there may be some.
    """
    parts = [Part(rows[0].line if rows else 0)]
    for row in rows:
        head = None if row.coded else mark.match(row.text)
        if head:
            text = head.groupdict().get("text")
            parts.append(Part(row.line, head, [] if text is None else [Row(row.line, text)]))
        else:
            parts[-1].rows.append(row)
    return parts


def gapped(
    pattern: re.Pattern[str], text: str, *, together: bool = False, formulas: bool = False
) -> str:
    """Return a text with Anki's gaps, `{{c1::answer::hint}}`, for those that a pattern finds.

    A gap has the number that the pattern names as `group`, if it does, else one of its own; with
    `together` all have the same. Empty where the pattern finds none outside of code and, without
    `formulas`, of formulas.
    """
    numbers: dict[str, int] = {}
    parts, begin = [], 0
    for found in pattern.finditer(masked(text, formulas=formulas)):
        said = {name: text[slice(*found.span(name))] for name in pattern.groupindex if found[name]}
        key = "" if together else said.get("group") or f"gap {len(numbers)}"
        number = numbers.setdefault(key, len(numbers) + 1)
        hint = " ".join(said.get("hint", "").replace("=", " ").split())
        words = re.sub(r"\}(?=\}|$)", "} ", said["text"].strip())
        words += f"::{hint}" if hint else ""
        parts += [text[begin : found.start()], f"{{{{c{number}::{words}}}}}"]
        begin = found.end()
    return "".join((*parts, text[begin:])) if parts else ""


def sides_of_clozes(text: str) -> Iterator[tuple[str, str]]:
    """Yield front and back of each card that Anki's clozes make of a text."""
    found = read_clozes(text)
    for group in found.groups:
        gaps = found.gapped(group)
        if gaps is None:
            yield found.sides(group)
        else:
            yield cloze.front(gaps, group), cloze.back(gaps, group)
