"""Cards in columns: CSV, TSV, Anki's export as text, tables in Markdown, and pairs of Quizlet."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from operator import lt
from pathlib import PurePath
from typing import Final

from studyattn.errors import DocumentError
from studyattn.exchange.anki.fields import markdown
from studyattn.exchange.documents.dialects.dialect import (
    ANKI_GAP,
    Reading,
)
from studyattn.exchange.documents.names import known_words, names, place_of
from studyattn.exchange.documents.rows import without_code
from studyattn.exchange.documents.units import is_sure, learned, parted
from studyattn.text.counting import count
from studyattn.text.markdown import parse_blocks

_HEADER = re.compile(r"^#([a-z ]+):(.*)$")
_NAMED: Final = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "space": " ",
    "pipe": "|",
    "colon": ":",
}
_REVERSED: Final = "and reversed"
"""A part of the name of Anki's note type that asks both ways."""
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_ANSWER = re.compile(r"<hr id=\"?answer\"?\s*/?>")
_LISTED = re.compile(r"^\s*(?:[-*+#>]|\d+[.)])\s")
_WORD = re.compile(r"[^\W\d_]")
_FEWEST: Final = 3
"""Lines of pairs with a mark that may stand in any text."""
_TAG = re.compile(r"</?([a-z][a-z0-9]*)\b[^<>]*>", re.IGNORECASE)
_WRITTEN: Final = frozenset(
    (
        *("a", "b", "big", "blockquote", "br", "card", "code", "div", "em", "font", "hr", "i"),
        *("img", "li", "ol", "p", "pre", "s", "small", "span", "strong", "sub", "sup", "table"),
        *("tbody", "td", "th", "thead", "tr", "u", "ul"),
    )
)
"""The tags that an editor of cards writes; any other belongs to a deck about HTML."""
MOST_TOLD: Final = 8
"""Lines that a remark names."""
_FEW: Final = 10
"""Rows of which one column, if it is a side, says not the same again and again."""
_LONGEST_NAME: Final = 30
"""Characters of the name of a column."""
_NO_TEXT = re.compile(r"https?://\S+$|\[sound:|<img")
_NAME_THEM: Final = "Name the columns in the first row: front, back, and optionally tags, deck"

Cells = tuple[int, Sequence[str]]
"""A row: the line at which it begins, and its cells."""


def is_html(texts: Iterable[str]) -> bool:
    """Return whether texts are HTML that an editor of cards wrote, not texts about HTML."""
    whole = without_code("\n".join(texts))
    tags = {each.casefold() for each in _TAG.findall(whole)}
    return tags <= _WRITTEN and ("<br" in whole or "</" in whole or "&nbsp;" in whole)


def cell(row: Sequence[str], at: int | None) -> str:
    """Return a cell without blanks around it; empty for one that the row does not have."""
    return row[at].strip() if at is not None and at < len(row) else ""


# -- CSV and TSV -----------------------------------------------------------------------------------


def _records(text: str, separator: str, found: Reading, first: int = 1) -> Iterator[Cells]:
    """Yield each record with the line at which it begins.

    A row with a stray quotation mark is taken as it stands, and told.
    """
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))  # of the whole process
    rows = text.split("\n")
    at, stray = 0, []
    while at < len(rows):
        reader = csv.reader((f"{row}\n" for row in rows[at:]), delimiter=separator, strict=True)
        begin, start = at, at
        try:
            for row in reader:
                if any(field.strip() for field in row):
                    yield first + begin, row
                begin = start + reader.line_num
        except csv.Error:
            stray.append(first + begin)
            yield first + begin, rows[begin].split(separator)
            begin += 1
        at = begin
    if stray:
        found.remarks.append(
            f"The quotation marks of {count(len(stray), 'row')} do not match, "
            f"so the text is taken as it is (line {', '.join(map(str, stray[:MOST_TOLD]))})"
        )


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows in columns, whatever wrote them: a table, or objects of one form."""

    names: Sequence[str]
    """The names of the columns, as far as they have some."""
    rows: Sequence[Cells]
    line: int = 1
    topic: str = ""

    @property
    def named(self) -> tuple[int, int] | None:
        """The columns named as question and answer; of gaps the first is enough."""
        front, back = place_of(self.names, "front"), place_of(self.names, "back")
        if front is None or (back is None and not self.has_gaps(front)):
            return None
        return front, len(self.names) if back is None else back

    def likely(self) -> Sequence[tuple[int, int]]:
        """Return the columns that may ask and answer, the likeliest first.

        Columns named as languages come before others; of one language alone the column answers.
        """
        usable = [at for at in range(self.width) if self._is_side(at)]
        tongues = [at for at in usable if self.name(at).casefold() in names()["language"]]
        others = [at for at in usable if at not in tongues]
        ranked = [*others[:1], *tongues, *others[1:]] if len(tongues) == 1 else [*tongues, *others]
        return [(ranked[0], each) for each in ranked[1:]]

    @property
    def width(self) -> int:
        return max((len(row) for _, row in self.rows), default=0)

    def name(self, at: int) -> str:
        """Return the name of a column; empty for one that has none."""
        return self.names[at].strip() if at < len(self.names) else ""

    def has_gaps(self, at: int) -> bool:
        return any(ANKI_GAP.search(cell(row, at)) for _, row in self.rows)

    def _is_side(self, at: int) -> bool:
        """Return whether most cells of a column say something, and not the same or a count."""
        cells = [text for _, row in self.rows if (text := cell(row, at))]
        told = [text for text in cells if not _NO_TEXT.match(text)]
        counts = [int(text) for text in told if text.isdecimal()]
        ups = sum(map(lt, counts, counts[1:]))
        is_count = len(counts) == len(told) >= _FEWEST and _FEW * ups >= (_FEW - 1) * (
            len(told) - 1
        )
        varied = _FEW * len({*told}) >= len(told)
        return 2 * len(told) > len(self.rows) and varied and not is_count

    def read(self, found: Reading, sides: tuple[int, int], *, tags: int | None = None) -> Reading:
        """Read a card a row, from two of the columns."""
        deck = place_of(self.names, "deck")
        html = is_html(field for _, row in self.rows for field in row)
        for line, row in self.rows:
            words = tuple(re.findall(r"[^\s,;]+", cell(row, tags)))
            texts = [cell(row, at) for at in sides]
            texts = [markdown(each) for each in texts] if html else texts
            found.basic(texts[0], texts[1], line, cell(row, deck) or self.topic, tags=words)
        return found


def grid_of(text: str, name: str, found: Reading | None = None) -> Grid:
    """Return the rows of a table, below one of names if there is one."""
    rows = list(_records(text, _separator(text, name), found or Reading()))
    topic = PurePath(name).stem
    below_names = Grid(rows[0][1] if rows else (), rows[1:], topic=topic)
    first = [each.strip() for each in below_names.names]
    short = all(0 < len(each) <= _LONGEST_NAME for each in first)
    asks = place_of(first, "front") is not None or known_words().issuperset(
        map(str.casefold, first)
    )
    if below_names.named or (short and (asks or len(first) > _FEWEST)):
        return below_names
    return Grid((), rows, topic=topic)


def read_table(text: str, name: str) -> Reading:
    """Read columns named by the first row; without such a row, question, answer and tags."""
    found = Reading(title=PurePath(name).stem)
    grid = grid_of(text, name, found)
    if sides := grid.named:
        tags = place_of(grid.names, "tags")
        used = {*sides, tags, place_of(grid.names, "deck")}
        if ignored := [each for at, each in enumerate(grid.names) if at not in used]:
            found.remarks.append(f"These columns are not read: {', '.join(ignored)}")
        return grid.read(found, sides, tags=tags)
    why = _unclear(grid)
    if not why:
        return replace(grid, names=()).read(found, (0, 1), tags=2)
    if not (grid.likely() or 1 < grid.width <= _FEWEST):
        raise DocumentError(why, where=f"{name}:1", advice=_NAME_THEM)
    found.remarks.append(f"No card: {why}. {_NAME_THEM}, or take an offer")
    return found


def _unclear(grid: Grid) -> str:
    """Return why the first two columns are no cards; empty if they are."""
    if place_of(grid.names, "front") is not None and place_of(grid.names, "tags") != 2:
        return "only the question has a name that is known"
    if grid.has_gaps(0):
        return ""
    widest = max(grid.width, len(grid.names))
    if widest == 1:
        return "there is only one column"
    if widest > _FEWEST:
        return f"it is unclear which of the {widest} columns hold the question and the answer"
    return "" if grid.likely() or not widest else "no two columns differ from row to row"


def _separator(text: str, name: str) -> str:
    """Return what separates the columns: of a CSV the sign that most rows have."""
    if PurePath(name).suffix.lower() == ".tsv":
        return "\t"
    rows = text.split("\n")
    return max(",;\t|", key=lambda sign: (sum(sign in row for row in rows), rows[0].count(sign)))


# -- Anki's export as text -------------------------------------------------------------------------


def read_anki(text: str, name: str) -> Reading:
    """Read the notes or cards that Anki exported as text, by the headers of the file."""
    rows = _anki_headers(text)
    headers, body = dict(rows), text.split("\n", len(rows))[-1]
    said = headers.get("separator", "tab").strip()
    separator = _NAMED.get(said.casefold(), said[:1] or "\t")
    html = headers.get("html", "false").strip().casefold() == "true"
    special = {
        kind: int(column) - 1
        for kind in ("guid", "notetype", "deck", "tags")
        if (column := headers.get(f"{kind} column", "").strip()).isdigit()
    }
    found = Reading(title=PurePath(name).stem)
    in_deck = headers.get("deck") or found.title
    read = _field if html else str.strip
    tagged = tuple(headers.get("tags", "").split())
    extra = 0
    for line, row in _records(body, separator, found, len(rows) + 1):
        fields = [each for at, each in enumerate(row) if at not in special.values()]
        texts = [*map(read, fields)]
        extra += sum(map(bool, texts[2:]))
        deck = cell(row, special.get("deck")) or in_deck
        tags = (*tagged, *cell(row, special.get("tags")).split())
        both = _REVERSED in cell(row, special.get("notetype")).casefold()
        topic = deck.split("::")[-1]
        found.basic(cell(texts, 0), cell(texts, 1), line, topic, tags=tags, reversed_too=both)
    if extra:
        found.remarks.append(
            f"Fields after the first two are not read; {extra} contain text. "
            "A package (.apkg) has all fields"
        )
    return found


def _field(html: str) -> str:
    """Return a field as Markdown.

    An export of cards repeats in each side its style sheet, and in the answer the question.
    """
    html = _STYLE.sub("", html)
    return markdown(_ANSWER.split(html, maxsplit=1)[-1])


def _anki_headers(text: str) -> Sequence[tuple[str, str]]:
    """Return the headers of a file, a row each."""
    found = takewhile(bool, map(_HEADER.match, text.split("\n")))
    return [(each[1].strip(), each[2]) for each in found if each]


def is_anki(_name: str, text: str) -> bool:
    known = {"separator", "html", "columns", "notetype", "deck", "tags", "notetype column"}
    return bool(known & dict(_anki_headers(text[:4096])).keys())


# -- pairs -----------------------------------------------------------------------------------------


def read_pairs(text: str, name: str) -> Reading:
    """Read a pair a line, parted by the mark that most lines have."""
    found = Reading(title=PurePath(name).stem)
    rows = text.split("\n")
    mark = learned(rows)
    pairs = [(number, parted(row, mark)) for number, row in enumerate(rows, start=1)]
    for number, pair in pairs:
        if pair is None and rows[number - 1].strip():
            found.leave(number, "no mark between term and definition")
    whole = [(number, pair) for number, pair in pairs if pair]
    return Grid((), whole, topic=found.title).read(found, (0, 1))


def are_pairs(name: str, text: str) -> bool:
    """Return whether a plain text is pairs of words: one mark parts each line, or nearly each."""
    if PurePath(name).suffix.lower() not in {".txt", ".text", ""}:
        return False
    rows = [row for row in text.split("\n") if row.strip()]
    mark = learned(rows)
    pairs = [pair for row in rows if not _LISTED.match(row) and (pair := parted(row, mark))]
    words = sum(all(map(_WORD.search, pair)) for pair in pairs)
    fronts = len(dict(pairs))
    least = 0.8 * len(rows) if is_sure(mark) else max(0.95 * len(rows), _FEWEST)
    return len(pairs) >= max(least, 2) and 2 * min(words, fronts) > len(pairs)


# -- tables in Markdown ----------------------------------------------------------------------------


def _tables(text: str) -> Iterator[Grid]:
    """Yield the tables of a text, each with the heading above it."""
    heading = ""
    rows: list[tuple[int, list[str]]] = []
    tokens = parse_blocks(text)
    for token, after in pairwise([*tokens, *tokens[-1:]]):
        if token.type == "heading_open":
            heading = after.content
        elif token.type == "table_open":
            rows = []
        elif token.type == "tr_open" and token.map:
            rows.append((token.map[0] + 1, []))
        elif token.type in {"th_open", "td_open"}:
            rows[-1][1].append(after.content.strip())
        elif token.type == "table_close" and rows:
            yield Grid(rows[0][1], rows[1:], rows[0][0], heading)


def read_tables(text: str, _name: str) -> Reading:
    """Read tables with columns for question and answer; without one, the first two columns."""
    found = Reading()
    tables = list(_tables(text))
    named = any(each.named for each in tables)
    for table in tables:
        if named and table.named is None:
            found.leave(table.line, "a table without columns for question and answer")
        else:
            table.read(found, table.named or (0, 1))
    return found


def has_named_table(_name: str, text: str) -> bool:
    return "|" in text and any(each.named for each in _tables(text))


def has_two_columns(text: str) -> bool:
    return any(len(each.names) == 2 for each in _tables(text))
