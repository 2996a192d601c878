"""The rows of a text: which are code, marks of cards outside of code, headings above them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from studyattn.exchange.anki.clozes import read_clozes
from studyattn.text import cloze

_FENCED = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_IN_PAGE = re.compile(r"\]\(#[^)]*\)")
_CODE = re.compile(r"(`+)(?:(?!\1).)+?\1")
_IN_CODE = re.compile(r"(`+)(?:(?!\1).)+?\1|\$\$.*?\$\$|\$[^$\s][^$]*\$")


def is_contents(text: str) -> bool:
    """Return whether a text is a table of contents: most of its rows are links into the page."""
    rows = [row for row in text.split("\n") if row.strip()]
    return 2 * sum(bool(_IN_PAGE.search(row)) for row in rows) > len(rows)


def without_code(row: str) -> str:
    """Return a row with code and formulas blanked: marks in them are no marks of cards."""
    return _IN_CODE.sub(lambda found: "\x00" * len(found[0]), row)


def with_gaps(
    pattern: re.Pattern[str],
    text: str,
    gap: Callable[[Mapping[str, str]], str],
    *,
    formulas: bool = False,
) -> str:
    """Return a text in which each match outside of code, and of formulas, is replaced.

    `gap` gets the named groups of a match; those that are not there are empty.
    """
    parts, begin = [], 0
    for found in pattern.finditer(_masked(text, formulas=formulas)):
        named = {
            name: text[found.start(name) : found.end(name)] if found[name] is not None else ""
            for name in pattern.groupindex
        }
        parts += [text[begin : found.start()], gap(named)]
        begin = found.end()
    return "".join(parts) + text[begin:]


def has_gap(pattern: re.Pattern[str], text: str, *, formulas: bool = False) -> bool:
    """Return whether a pattern matches outside of code, and of formulas."""
    return pattern.search(_masked(text, formulas=formulas)) is not None


def _masked(text: str, *, formulas: bool) -> str:
    fenced = _FENCED.sub(lambda found: re.sub(r"[^\n]", "\x00", found[0]), text)
    if not formulas:
        return without_code(fenced)
    return _CODE.sub(lambda found: "\x00" * len(found[0]), fenced)


def unfenced(text: str) -> Iterator[tuple[int, str]]:
    """Yield the rows of a text outside of front matter and code fences, with their numbers."""
    for number, row, coded in rows_of(text):
        if not coded:
            yield number, row


@lru_cache(maxsize=2)  # all dialects look at one document after another
def rows_of(text: str) -> tuple[tuple[int, str, bool], ...]:
    """Return each row with its number, and whether it is in a code fence.

    Front matter is left out.
    """
    return tuple(_rows(text))


def _rows(text: str) -> Iterator[tuple[int, str, bool]]:
    rows = text.split("\n")
    start = 0
    if rows[0].rstrip() in {"---", "+++"}:
        mark = rows[0].rstrip()
        end = next((at for at, row in enumerate(rows[1:], 1) if row.rstrip() == mark), None)
        start = 0 if end is None else end + 1
    fence = ""
    for number, row in enumerate(rows[start:], start=start + 1):
        mark_here = re.match(r"^\s*(?:[-*+>]\s+)*(`{3,}|~{3,})", row)
        if fence:
            yield number, row, True
            if row.strip().startswith(fence) and not row.strip().strip(fence[0]):
                fence = ""
        elif mark_here:
            fence = mark_here[1]
            yield number, row, True
        else:
            yield number, row, False


class Headings:
    """The last heading while rows go by: what the cards below it are about."""

    _HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$")

    def __init__(self) -> None:
        self.last = ""

    def take(self, row: str) -> bool:
        """Return whether the row is a heading, and remember it."""
        found = self._HEADING.match(row)
        if found:
            self.last = found[1]
        return found is not None


def numbered(
    pattern: re.Pattern[str], text: str, *, together: bool = False, formulas: bool = False
) -> str:
    """Return a text with Anki's gaps, `{{c1::answer::hint}}`, for those that a pattern finds.

    A gap has the number that the pattern names as `group`, if it does, else one of its own; with
    `together` all have the same.
    """
    numbers: dict[str, int] = {}

    def gap(found: Mapping[str, str]) -> str:
        key = "" if together else found.get("group") or f"gap {len(numbers)}"
        number = numbers.setdefault(key, len(numbers) + 1)
        hint = " ".join(found.get("hint", "").replace("=", " ").split())
        words = re.sub(r"\}(?=\}|$)", "} ", found["text"].strip())
        return f"{{{{c{number}::{words}{f'::{hint}' if hint else ''}}}}}"

    return with_gaps(pattern, text, gap, formulas=formulas)


def sides_of_clozes(text: str) -> Iterator[tuple[str, str]]:
    """Yield front and back of each card that Anki's clozes make of a text."""
    found = read_clozes(text)
    for group in found.groups:
        gaps = found.gapped(group)
        if gaps is None:
            yield found.sides(group)
        else:
            yield cloze.front(gaps, group), cloze.back(gaps, group)
