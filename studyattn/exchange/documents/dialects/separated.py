"""Cards in columns: CSV, TSV, Anki's export as text, and the pairs of Quizlet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Final

from studyattn.errors import DocumentError
from studyattn.exchange.anki.clozes import read_clozes
from studyattn.exchange.anki.fields import markdown
from studyattn.exchange.documents.dialects.dialect import Collected, Dialect
from studyattn.exchange.documents.draft import Reading
from studyattn.exchange.documents.rows import unfenced

FRONT: Final = frozenset(
    {"front", "question", "q", "term", "prompt", "word", "card", "text", "side 1", "expression"}
)
"""Headings of the column with the question."""
BACK: Final = frozenset(
    {"back", "answer", "a", "definition", "meaning", "translation", "response", "side 2"}
)
"""Headings of the column with the answer."""
_TAGS: Final = frozenset({"tags", "tag", "labels"})
_DECK: Final = frozenset({"deck", "topic", "category", "concept", "chapter"})
_ANKI_GAP = re.compile(r"\{\{c\d+::")
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
_PAIR = re.compile(r"^(?P<term>[^\t]+?)(?: *\t\s*|\s+[-–—]\s+)(?P<definition>\S.*)$")
_LARGEST_FIELD: Final = 32 * 1024 * 1024  # characters, as many as a document may have

Rows = Iterator[tuple[int, list[str]]]


def _rows(text: str, separator: str, name: str, first: int = 1) -> Rows:
    """Yield each record with the line at which it begins. Raises DocumentError."""
    csv.field_size_limit(_LARGEST_FIELD)
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    line = first
    try:
        for row in reader:
            if any(field.strip() for field in row):
                yield line, row
            line = first + reader.line_num
    except csv.Error as error:
        raise DocumentError(
            f"the columns cannot be read: {error}",
            where=f"{name}:{line}",
            advice='Put a field that contains a separator or line break in quotes: "a, b"',
        ) from error


def _cell(row: Sequence[str], at: int | None) -> str:
    """Return a cell without blanks around it; empty for one that the row does not have."""
    return row[at].strip() if at is not None and at < len(row) else ""


def _pick(headings: Sequence[str], names: frozenset[str]) -> int | None:
    return next((at for at, each in enumerate(headings) if each in names), None)


# -- CSV and TSV -----------------------------------------------------------------------------------


def _read_table(text: str, name: str) -> Reading:
    """Read columns named by the first row; without such a row, question, answer and tags."""
    separator = _separator(text, name)
    rows = list(_rows(text, separator, name))
    if not rows:
        return Reading(())
    headings = [field.strip().casefold() for field in rows[0][1]]
    front, back = _pick(headings, FRONT), _pick(headings, BACK)
    tags, deck = _pick(headings, _TAGS), _pick(headings, _DECK)
    collected = Collected()
    if front is not None and (back is not None or _has_gaps(rows, front)):
        named = {front, back, tags, deck}
        ignored = [rows[0][1][at] for at in range(len(headings)) if at not in named]
        if ignored:
            collected.remarks.append(f"These columns are not read: {', '.join(ignored)}")
        rows = rows[1:]
    else:
        if tags == 2:  # names of languages, say, and then "tags"
            rows = rows[1:]
        front, back, tags, deck = 0, 1, 2, None
        widest = max((len(row) for _, row in rows), default=0)
        if not 2 <= widest <= 3 and not _has_gaps(rows, 0):
            unclear = (
                f"it is unclear which of the {widest} columns hold the question and the answer"
            )
            raise DocumentError(
                "there is only one column" if widest == 1 else unclear,
                where=f"{name}:1",
                advice="Name the columns in the first row: front, back, and optionally tags, deck",
            )
    topic = PurePath(name).stem
    for line, row in rows:
        words = tuple(re.findall(r"[^\s,;]+", _cell(row, tags)))
        sides = _cell(row, front), _cell(row, back)
        _add(collected, *sides, line, _cell(row, deck) or topic, words)
    return collected.reading(topic)


def _add(  # noqa: PLR0917 - the parts of a row
    collected: Collected,
    front: str,
    back: str,
    line: int,
    topic: str,
    tags: tuple[str, ...],
    *,
    reversed_too: bool = False,
) -> None:
    """Add a row: a card, or one for each number of the gaps in Anki's manner."""
    if not _ANKI_GAP.search(front):
        collected.basic(front, back, line, topic, tags=tags, reversed_too=reversed_too)
        return
    clozes = read_clozes(front)
    for group in clozes.groups:
        collected.gaps(clozes.text(group), line, topic, tags=tags, only=group, below=back)


def _has_gaps(rows: Sequence[tuple[int, list[str]]], at: int) -> bool:
    return any(at < len(row) and _ANKI_GAP.search(row[at]) for _, row in rows)


def _separator(text: str, name: str) -> str:
    """Return what separates the columns: of a CSV the sign that most rows have equally often."""
    if PurePath(name).suffix.lower() == ".tsv":
        return "\t"
    head = text.split("\n", 1)[0]
    return max(",;\t|", key=head.count)


def _is_table(name: str, _text: str) -> bool:
    return PurePath(name).suffix.lower() in {".csv", ".tsv"}


# -- Anki's export as text -------------------------------------------------------------------------


def _read_anki(text: str, name: str) -> Reading:
    """Read the notes or cards that Anki exported as text, by the headers of the file."""
    headers, first, body = _anki_headers(text)
    said = headers.get("separator", "tab").strip()
    separator = _NAMED.get(said.casefold(), said[:1] or "\t")
    html = headers.get("html", "false").strip().casefold() == "true"
    special = {
        kind: int(headers[key]) - 1
        for kind in ("guid", "notetype", "deck", "tags")
        if (key := f"{kind} column") in headers and headers[key].strip().isdigit()
    }
    collected = Collected()
    stem = PurePath(name).stem
    tagged = tuple(headers.get("tags", "").split())
    extra = 0
    for line, row in _rows(body, separator, name, first):
        fields = [each for at, each in enumerate(row) if at not in special.values()]
        texts = [_field(each) if html else each.strip() for each in fields]
        front, back = texts[0] if texts else "", texts[1] if len(texts) > 1 else ""
        extra += sum(bool(each) for each in texts[2:])
        tags = _cell(row, special.get("tags")).split()
        deck = _cell(row, special.get("deck")) or headers.get("deck", "") or stem
        topic = deck.split("::")[-1] or stem
        both = _REVERSED in _cell(row, special.get("notetype")).casefold()
        _add(collected, front, back, line, topic, (*tagged, *tags), reversed_too=both)
    if extra:
        collected.remarks.append(
            f"Fields after the first two are not read; {extra} contain text. "
            "A package (.apkg) has all fields"
        )
    return collected.reading(stem)


def _field(html: str) -> str:
    """Return a field as Markdown.

    An export of cards repeats in each side its style sheet, and in the answer the question.
    """
    html = _STYLE.sub("", html)
    return markdown(_ANSWER.split(html, maxsplit=1)[-1])


def _anki_headers(text: str) -> tuple[dict[str, str], int, str]:
    """Return the headers of a file, the number of the first line after them, and the rest."""
    rows = text.split("\n")
    headers: dict[str, str] = {}
    for at, row in enumerate(rows):
        found = _HEADER.match(row)
        if found is None:
            return headers, at + 1, "\n".join(rows[at:])
        headers[found[1].strip()] = found[2]
    return headers, len(rows) + 1, ""


def _is_anki(_name: str, text: str) -> bool:
    headers, _, _ = _anki_headers(text[:4096])
    known = {"separator", "html", "columns", "notetype", "deck", "tags", "notetype column"}
    return bool(known & headers.keys())


# -- Quizlet ---------------------------------------------------------------------------------------


def _read_pairs(text: str, name: str) -> Reading:
    """Read `term TAB definition` or `term - definition`, a pair a line."""
    collected = Collected()
    stem = PurePath(name).stem
    for number, row in enumerate(text.split("\n"), start=1):
        if not row.strip():
            continue
        found = _PAIR.match(row)
        if found:
            collected.basic(found["term"], found["definition"], number, stem)
        else:
            collected.leave(number, "no tab or dash between term and definition")
    return collected.reading(stem)


def _are_pairs(name: str, text: str) -> bool:
    """Return whether a plain text is pairs: tabs in each line, or a dash in nearly each."""
    if PurePath(name).suffix.lower() not in {".txt", ".text", ""}:
        return False
    rows = [row for row in text.split("\n") if row.strip()]
    tabs = sum("\t" in row.strip() for row in rows)
    pairs = sum(_PAIR.match(row) is not None for row in rows)
    bullets = sum(bool(re.match(r"^\s*([-*+#>]|\d+[.)])\s", row)) for row in rows)
    return len(rows) >= 2 and not bullets and (tabs >= 0.8 * len(rows) or pairs == len(rows) > 2)


def _tab_lines(text: str) -> tuple[int, ...]:
    return tuple(
        number for number, row in unfenced(text) if re.match(r"^\S[^\t]*\t+\S[^\t]*$", row)
    )


TABLE = Dialect(
    name="csv",
    title="a table of cards (CSV or TSV)",
    about="one card per row; columns front, back, tags, deck",
    recognises=_is_table,
    read=_read_table,
    suffixes=frozenset({".csv", ".tsv"}),
)
ANKI_TEXT = Dialect(
    name="anki-text",
    title="Anki's export as text",
    about="headers such as #separator:tab, then one note per line",
    recognises=_is_anki,
    read=_read_anki,
)
PAIRS = Dialect(
    name="pairs",
    title="pairs of term and definition, as Quizlet exports them",
    about="term, a tab or a dash, definition",
    recognises=_are_pairs,
    read=_read_pairs,
    looks=_tab_lines,
)
