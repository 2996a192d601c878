"""Units: what begins something in a text and has text below it, whatever the document is.

A heading is a unit, and so are a bold line, an item of a list, a line below a number. Units of
one shape are judged together: `asking` says which of them are questions. The mark between a term
and its definition, a tab, `;;`, a dash, is the one that parts most rows of the text (`learned`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from markdown_it.token import Token

from studyattn.text.document import Section
from studyattn.text.markdown import parse_blocks

NUMBER: Final = re.compile(
    r"^\s*(?:(?:Q(?:uestion)?\s*)?\d+(?:\.\d+)*\s*(?:\\?[.):]\s+|[、．])|Q(?:uestion)?\s*[.):]\s+|[❓❔])\s*",
    re.IGNORECASE,
)
"""The number of a question, which is no part of it."""
NUMBERED: Final = re.compile(r"^\W*(?:[^\W\d_]+\s*)?\d+(?:\.\d+)*\s*(?:[.):]\s|[、．])")
"""A title with a number, perhaps behind a word: `Exercise 3: …`."""
_LABEL = re.compile(r"^\W*Q(?P<word>uestion)?\s*(?:\d+\s*)?[.):]\s|^\s*[❓❔]", re.IGNORECASE)
_ASKING = re.compile(r"[?？؟](?:\[+[^\[\]]*\]+|\W)*$")
"""A question mark, after which come only links and signs."""
_ADDRESS = re.compile(r"\]\([^()]*(?:\([^()]*\)[^()]*)*\)")
_BOLD = re.compile(r"^\s{0,3}(\*\*|__)(?P<title>(?:(?!\1).)+)\1(?P<after>[:：]?)\s*$")
_AROUND = re.compile(r"^(\*\*|__)((?:(?!\1).)+)\1$")
_ITEM = re.compile(r"^(?P<lead>\s*(?P<mark>[-*+]|\d+[.)])\s+)(?P<title>\S.*)$")
_CALLOUT = re.compile(r"^\s{0,3}>\s*\[!\w+\][+-]?\s+(?P<title>\S.*)$")
_QUOTED = re.compile(r"^\s{0,3}>\s?")
_COUNT_ALONE = re.compile(r"^\s{0,3}(?P<mark>\d+[.)])\s*$")
LONGEST_TERM: Final = 60  # characters

MOST_QUARTERS: Final = 4
"""`Q1:` to `Q4:` may be quarters of a year; a document with more of them counts questions."""
LEAST_ASKING: Final = 3
"""Titles without numbers that must ask before those of their shape are questions."""

BOLD, LIST, COUNTED, TERMS = "bold", "list", "counted", "terms"
CALLOUTS, FILE = "callouts", "file"
TITLES: Final[Mapping[str, str]] = {
    **{f"h{level}": f"headings {'#' * level}, the text below each" for level in range(1, 7)},
    BOLD: "bold lines, the text below each",
    LIST: "list items, what is below each",
    COUNTED: "lines below a number, the text below each",
    TERMS: "terms, each before a mark and its definition",
    CALLOUTS: "callouts whose title asks",
    FILE: "the whole file, below its title",
}
"""The shapes that can be chosen, in words."""


@dataclass(frozen=True, slots=True)
class TextUnit:
    """Something that begins at a row of a text, and the rows below it up to the next one."""

    shape: str
    title: str
    """As Markdown, with its number."""
    line: int
    start: int
    """The row of the text at which it begins, from 0."""
    after: int
    """The first row below it."""
    indent: int = 0
    """Columns by which the text below may be indented."""
    beside: str = ""
    """Its text, where this is not what is below: behind a mark, or in the callout."""

    @property
    def words(self) -> str:
        """The title without its number and the marks around it."""
        return words_of(self.title)


def words_of(title: str) -> str:
    """Return a title without its number and the marks around it: `**2. Why?**` is `Why?`."""
    inner = _AROUND.sub(r"\2", title.strip())
    return _AROUND.sub(r"\2", NUMBER.sub("", inner).strip()).strip()


T = TypeVar("T", bound=Section | TextUnit)


def units_of(body: str, line: int, mark: str) -> Iterator[TextUnit]:
    """Yield the units of a text that begins at `line`: bold lines, items, terms, callouts.

    `mark` is what parts a term from its definition.
    """
    rows = body.split("\n")
    for token in parse_blocks(body):
        if token.map is None:
            continue
        kind = token.type, token.level
        if kind == ("list_item_open", 1):
            yield from _item(token, rows, line, mark)
        elif kind == ("paragraph_open", 0):
            for at in range(*token.map):
                yield from _row(rows, at, line, mark)
        elif kind == ("blockquote_open", 0):
            first, after = token.map
            found = _CALLOUT.match(rows[first])
            if found and asks(found["title"]):
                inside = "\n".join(_QUOTED.sub("", row) for row in rows[first + 1 : after])
                title = _unbold(found["title"])
                yield TextUnit(CALLOUTS, title, line + first, first, after, beside=inside.strip())


def _item(token: Token, rows: Sequence[str], line: int, mark: str) -> Iterator[TextUnit]:
    at = token.map[0] if token.map else 0
    if _COUNT_ALONE.match(rows[at]):
        yield from _row(rows, at, line, mark)
    elif found := _ITEM.match(rows[at]):
        number = f"{found['mark']} " if found["mark"][0].isdigit() else ""
        title = _unbold(found["title"])
        yield TextUnit(LIST, f"{number}{title}", line + at, at, at + 1, len(found["lead"]))
        yield from _term(found["title"], at, line, mark)


def _row(rows: Sequence[str], at: int, line: int, mark: str) -> Iterator[TextUnit]:
    """Yield the unit that a row of a paragraph begins."""
    row = rows[at]
    if found := _BOLD.match(row):
        yield TextUnit(BOLD, found["title"].strip(), line + at, at, at + 1)
    elif count := _COUNT_ALONE.match(row):
        below = next((each for each in range(at + 1, len(rows)) if rows[each].strip()), at)
        if at < below <= at + 2:
            title = f"{count['mark']} {rows[below].strip()}"
            yield TextUnit(COUNTED, title, line + at, at, below + 1)
    elif not asks(row):
        yield from _term(row, at, line, mark)


def _term(row: str, at: int, line: int, mark: str) -> Iterator[TextUnit]:
    sides = parted(row, mark)
    if sides and len(sides[0]) <= LONGEST_TERM and not re.search(r"[.!?]\s", sides[0]):
        yield TextUnit(TERMS, _unbold(sides[0]), line + at, at, at + 1, beside=sides[1])


def _unbold(title: str) -> str:
    found = _BOLD.match(title)
    return f"{found['title']}{found['after']}" if found else title.strip()


def below(units: Sequence[TextUnit], body: str) -> Iterator[tuple[TextUnit, str]]:
    """Yield units of one shape, each with its text: up to the next one, or the end."""
    rows = body.split("\n")
    ends = [*(each.start for each in units[1:]), len(rows)]
    for unit, end in zip(units, ends, strict=True):
        text = [re.sub(rf"^ {{0,{unit.indent}}}", "", each) for each in rows[unit.after : end]]
        yield unit, unit.beside or "\n".join(text).strip("\n")


def asks(title: str) -> bool:
    """Return whether a title ends in a question mark."""
    return _ASKING.search(_ADDRESS.sub("]", title)) is not None


def asking(units: Sequence[T]) -> Sequence[T]:
    """Return which units of one shape are questions by their titles, judged together.

    Numbered ones ask if half of them end in a question mark: chapters have numbers, too. Without
    numbers or `Q:` nearly all have to end in one; then whatever stands among them asks as well.
    """
    counted, labelled = titled(NUMBERED, units), titled(_LABEL, units)
    if counted and 2 * sum(asks(each.title) for each in counted) >= len(counted):
        marked = {id(each) for each in (*counted, *labelled)}
        return [each for each in units if id(each) in marked]
    if len(labelled) > MOST_QUARTERS or any(map(_is_labelled_question, labelled)):
        return labelled
    return [] if counted else _nearly_all(units)


def titled(pattern: re.Pattern[str], units: Iterable[T]) -> Sequence[T]:
    """Return the units whose titles begin with a pattern."""
    return [each for each in units if pattern.match(each.title)]


def _is_labelled_question(unit: Section | TextUnit) -> bool:
    """Return whether a label is that of a question by itself: it is written out, or it asks."""
    label = _LABEL.match(unit.title)
    return asks(unit.title) or bool(label and label["word"])


def _nearly_all(units: Sequence[T]) -> Sequence[T]:
    """Return the units from the first to the last that asks, if nearly all do."""
    places = [at for at, each in enumerate(units) if asks(each.title)]
    if len(places) < LEAST_ASKING or 4 * len(places) < 3 * len(units):
        return []
    return units[places[0] : places[-1] + 1]


_BETWEEN = re.compile(
    r"\s*?(?P<mark>\t+|(?<!:)(?P<sign>[^\w\s.]{1,2}?)(?P=sign)+|[―→↔⇒|*~;]"
    r"|(?<=\s)[-–—=](?=\s)|[:：](?=\s))\s*"
)
_SURE_MARKS: Final = "\t―→↔⇒"
"""Marks that hardly stand in a text by chance; a sign that is repeated is one, too."""


def learned(rows: Iterable[str]) -> str:
    """Return the mark that parts most rows; empty if none parts any."""
    parting: Counter[str] = Counter()
    for row in rows:
        marks = Counter(map(_name, _BETWEEN.finditer(row)))
        parting.update(
            each for each, times in marks.items() if times == 1 or each == "\t" if parted(row, each)
        )
    return max(parting, key=lambda each: parting[each], default="")


def parted(row: str, mark: str) -> tuple[str, str] | None:
    """Return the texts before and behind the first place of a mark; None without both."""
    for found in _BETWEEN.finditer(row):
        if _name(found) == mark:
            front, back = row[: found.start()].strip(), row[found.end() :].strip(f" {mark}")
            return (front, back) if front and back else None
    return None


def is_sure(mark: str) -> bool:
    """Return whether a mark hardly stands in a text by chance."""
    return mark in _SURE_MARKS or len(mark) > 1


def _name(found: re.Match[str]) -> str:
    """Return what a mark is called, however often its sign is repeated."""
    if found["sign"]:
        return found["sign"] * 2
    return "-" if found["mark"] in "–—" else found["mark"][0]
