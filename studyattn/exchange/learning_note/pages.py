"""Pages of the folder for Obsidian read back: what was changed in them by hand. Pure.

    %% studyattn {"cards":["…"],"sum":"…"} %%

    ## The question

    The answer.

    %% /studyattn %%

A row like the first one, which Obsidian hides, begins a card or a note, and its sum tells whether
its text was changed. A heading of the second level without such a row begins a new note on the
concept of the page. What studyattn writes around them is summed up in the front matter; a change
there has no place to go, and is told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from studyattn.errors import DocumentError
from studyattn.exchange.documents.matching import digest

END: Final = "%% /studyattn %%"
ANSWER: Final = "%% answer %%"
"""The row between a question that is more than its heading, and its answer."""
REST: Final = "rest"
"""The key of the front matter that sums up what is neither a card nor a note."""
_MARK = re.compile(r"^%% studyattn (\{.*\}) %%\s*$")
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*$")
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
_SUM_DIGITS: Final = 8


@dataclass(slots=True)
class PagePart:
    """A card or a note of a page; one without a mark is a new note."""

    line: int
    fields: Mapping[str, Any]
    rows: list[str] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        """Whether its text is another than studyattn wrote; a new note's always is."""
        return self.fields.get("sum") != sum_of(self.rows)

    @property
    def heading(self) -> str:
        """The words of its heading."""
        found = next((match for row in self.rows if (match := _HEADING.match(row))), None)
        return found[2] if found else ""

    @property
    def question(self) -> str | None:
        """The question in full, where it is more than the heading."""
        at = self._answer_at()
        return None if at is None else _text(_below_heading(self.rows[:at]))

    @property
    def body(self) -> str:
        """What follows the heading, or the question."""
        at = self._answer_at()
        rows = _below_heading(self.rows) if at is None else self.rows[at + 1 :]
        return _text(_raised(rows, self.fields.get("deeper", 0)))

    def _answer_at(self) -> int | None:
        return next((at for at, row in enumerate(self.rows) if row.strip() == ANSWER), None)


@dataclass(frozen=True, slots=True)
class Page:
    """The parts of a page, and whether the rest of it was changed."""

    parts: tuple[PagePart, ...]
    rest_changed: bool


def mark(fields: Mapping[str, Any], rows: Sequence[str]) -> str:
    """Return the row before a part whose rows are these."""
    text = json.dumps({**fields, "sum": sum_of(rows)}, ensure_ascii=False, separators=(",", ":"))
    text = text.replace("%", "\\u0025")  # two of them would end the row's comment
    return f"%% studyattn {text} %%"


def sum_of(rows: Sequence[str]) -> str:
    """Return a short sum of a text, whatever its blank rows at both ends are."""
    return digest("\n".join(row.rstrip() for row in rows).strip("\n"))[:_SUM_DIGITS]


def read_page(text: str, name: str, *, new_notes: bool) -> Page:
    """Read a page; with `new_notes` unmarked headings of the second level are new notes.

    Raises DocumentError, with `name:line`, for a mark that cannot be read or is never ended.
    """
    rows = text.split("\n")
    begin = next((at for at, row in enumerate(rows[1:], 1) if row.rstrip() == "---"), 0) + 1
    stated = re.search(rf"^{REST}: (\S+)$", "\n".join(rows[:begin]), re.MULTILINE)
    parts: list[PagePart] = []
    rest: list[str] = []
    current: PagePart | None = None
    for number, row, plain in _rows(rows[begin:], begin + 1):
        marked = _MARK.match(row) if plain else None
        if marked:
            if current is not None and current.fields:
                break
            current = PagePart(number, _fields(marked[1], f"{name}:{number}"))
            parts.append(current)
        elif plain and row.rstrip() == END:
            current = None
        elif current is not None and (current.fields or not _ends_note(row, plain=plain)):
            current.rows.append(row)
        elif new_notes and plain and re.match(r"^## +\S", row):
            current = PagePart(number, {}, [row])
            parts.append(current)
        else:
            current = None
            rest.append(row)
    if current is not None and current.fields:
        raise DocumentError(
            "the text after this mark has no end mark",
            where=f"{name}:{current.line}",
            advice=f"Add a row {END} after its text",
        )
    rest_changed = stated is None or stated[1] != f"s{_sum_of_rest(rest)}"
    return Page(tuple(parts), rest_changed)


def rest_sum(text: str) -> str:
    """Return the sum of what is neither a card nor a note in a page as it is written."""
    rows = text.split("\n")
    begin = next((at for at, row in enumerate(rows[1:], 1) if row.rstrip() == "---"), 0) + 1
    rest, inside = [], False
    for _, row, plain in _rows(rows[begin:], begin + 1):
        if plain and _MARK.match(row):
            inside = True
        elif plain and row.rstrip() == END:
            inside = False
        elif not inside:
            rest.append(row)
    return _sum_of_rest(rest)


def _sum_of_rest(rows: Sequence[str]) -> str:
    return sum_of([row for row in rows if row.strip()])


def _ends_note(row: str, *, plain: bool) -> bool:
    return plain and re.match(r"^#{1,2} +\S", row) is not None


def _rows(rows: Sequence[str], first: int) -> Iterator[tuple[int, str, bool]]:
    """Yield each row with its number, and whether it is outside of code."""
    fence = ""
    for number, row in enumerate(rows, first):
        found = _FENCE.match(row)
        if fence:
            yield number, row, False
            if row.strip().startswith(fence) and not row.strip().strip(fence[0]):
                fence = ""
        elif found:
            fence = found[1]
            yield number, row, False
        else:
            yield number, row, True


def _fields(text: str, where: str) -> Mapping[str, Any]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict) or not isinstance(fields.get("sum"), str):
        raise DocumentError(
            "this mark of a page cannot be read", where=where, advice="Export the folder again"
        )
    return fields


def _below_heading(rows: Sequence[str]) -> list[str]:
    at = next((at for at, row in enumerate(rows) if _HEADING.match(row)), -1)
    return list(rows[at + 1 :])


def _raised(rows: Sequence[str], deeper: object) -> list[str]:
    """Return rows whose headings are as high again as they were in the text."""
    if not isinstance(deeper, int) or not 0 < deeper <= 6:
        return list(rows)
    found = []
    for _, row, plain in _rows(rows, 0):
        heading = _HEADING.match(row) if plain else None
        found.append(row[min(deeper, len(heading[1]) - 1) :] if heading else row)
    return found


def _text(rows: Sequence[str]) -> str:
    return "\n".join(row.rstrip() for row in rows).strip("\n")
