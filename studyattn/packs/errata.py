"""Errata: what sources about the subject get wrong, and which documents say it.

A document is recognised by the figures and words of the claim, never by its sentences: a claim
that was copied, translated or rephrased keeps its numbers. The words stand in one statement: a
paragraph, an item of a list or a row of a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from studyattn.errors import DocumentError, PackError
from studyattn.home import Home
from studyattn.packs.fences import find_examples, without_checks
from studyattn.packs.fields import Fields, is_id
from studyattn.packs.locate import installed_packs
from studyattn.packs.model import Erratum, SourceLocation
from studyattn.packs.numbers import read_number
from studyattn.text.document import Document, Section, read_document

_PARAGRAPHS = ("Source", "Says", "Right")
_NUMBER = re.compile(r"(?<![\w.,])[-−]?\d[\d,]*(?:\.\d+)?(?![\w]|[.,]\d)")
_ENTRY = re.compile(r"^ {0,3}(?:(?:[-*+]|\d+[.)])\s|\|)", re.MULTILINE)
"""An item of a list, or a row of a table."""
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nor|neither|cannot|independent|independently|wrong|false)\b|n['’]t\b"
)
_SENTENCE_BREAK = re.compile(r"(?<=[.!?;])\s+")
_LEAST_TERMS = 2
"""Terms of the claim that a sentence must hold for its negation to deny the claim."""
_PARAGRAPH_BREAK = re.compile(r"\n\s*\n")


class MatchedErratum(NamedTuple):
    """An erratum that a document repeats, and the line of its first sign."""

    erratum: Erratum
    line: int


def read_errata(text: str, file: Path) -> tuple[tuple[Erratum, ...], list[PackError]]:
    """All entries of an errata file, and what is wrong with single ones, which are left out."""
    document = read_document(without_checks(text), str(file), strict=True)
    subject = _words(str(document.front_matter.get("subject", "")))
    problems: list[PackError] = []
    found: list[Erratum] = []
    for section in document.sections:
        try:
            found.append(_erratum(section, SourceLocation(str(file), section.line), subject))
        except PackError as error:
            problems.append(error)
    return tuple(found), problems


def installed_errata(home: Home) -> tuple[Erratum, ...]:
    """The errata of all installed packs. What cannot be read of them is left out: `pack check` and
    the taking over of a pack tell of it, and a document can be imported all the same.
    """
    files = (folder / "errata.md" for folder in installed_packs(home))
    return tuple(erratum for file in files for erratum in _errata_in(file))


def _errata_in(file: Path) -> tuple[Erratum, ...]:
    try:
        status = file.stat()
        return _errata_of(file, status.st_mtime_ns, status.st_size)
    except (OSError, UnicodeDecodeError, DocumentError):
        return ()


@lru_cache(maxsize=16)
def _errata_of(file: Path, _modified: int, _size: int) -> tuple[Erratum, ...]:
    """Read once for each state of the file."""
    return read_errata(file.read_text(encoding="utf-8"), file)[0]


def recognise(
    text: str, errata: Iterable[Erratum], headings: Iterable[int]
) -> tuple[MatchedErratum, ...]:
    """Return the errata that a document repeats, in the order in which they stand in `errata`.

    `headings` are the lines of its headings of the first two levels: see `heading_lines`.
    """
    sections = list(sections_of(text, headings))
    found: list[MatchedErratum] = []
    for erratum in about(text, errata):
        places = (contradicted(section, erratum) for section in sections)
        place = next(filter(None, places), None)
        if place is not None:
            line = place.line if erratum.terms else _line_of(place, erratum.figures[0])
            found.append(MatchedErratum(erratum, line))
    return tuple(found)


def contradicted(section: Passage, erratum: Erratum) -> Passage | None:
    """Return the first statement of a section that makes the claim, if there is one.

    Of a claim known by figures alone that is the one with the first of them.
    """
    if not all(term in section.plain for term in erratum.terms):
        return None  # which rules out most errata at once for most of thousands of answers
    if not section.has(erratum.figures):
        return None
    if erratum.terms:
        return next((each for each in section.statements if claims(each.plain, erratum)), None)
    first = erratum.figures[0]
    place = next(each for each in section.statements if first in each.numbers)
    return None if _is_excepted(place.plain, erratum) else place


def _is_excepted(statement: str, erratum: Erratum) -> bool:
    return any(word in statement for word in erratum.unless)


def about(text: str, errata: Iterable[Erratum]) -> tuple[Erratum, ...]:
    """Return the errata whose subject a document names."""
    plain = text.casefold()
    return tuple(
        each
        for each in errata
        if not each.subject or any(_begins_word(word).search(plain) for word in each.subject)
    )


def claims(statement: str, erratum: Erratum) -> bool:
    """Return whether a statement, in lower case, has all terms of a claim and makes it.

    A question makes none, nor does a sentence about the claim with a negation that is not its own,
    or a statement with a word that the claim has not.
    """
    terms = erratum.terms
    return (
        bool(terms)
        and all(_begins_word(term).search(statement) for term in terms)
        and not statement.rstrip().endswith("?")
        and not _is_excepted(statement, erratum)
        and not _denied(statement, terms)
    )


def _denied(statement: str, terms: tuple[str, ...]) -> bool:
    least = min(_LEAST_TERMS, len(terms))
    return any(
        sum(term in sentence for term in terms) >= least
        and any(
            not any(term.endswith(word) for term in terms) for word in _NEGATION.findall(sentence)
        )
        for sentence in _SENTENCE_BREAK.split(statement)
    )


@cache
def _begins_word(term: str) -> re.Pattern[str]:
    """Return what finds a term where a word begins; a formula may begin anywhere."""
    return re.compile(rf"(?<![^\W_]){re.escape(term)}" if term[:1].isalnum() else re.escape(term))


def heading_lines(document: Document) -> tuple[int, ...]:
    """Return the lines of a document's headings of the first two levels."""
    return tuple(each.line for each in document.walk() if each.level <= 2)


@dataclass(frozen=True)
class Passage:
    """A part of a document, and its first line."""

    text: str
    line: int

    @property
    def last_line(self) -> int:
        return self.line + self.text.count("\n")

    @cached_property
    def plain(self) -> str:
        return self.text.casefold()

    @cached_property
    def statements(self) -> tuple[Passage, ...]:
        """The paragraphs, lists item by item and tables row by row."""
        return tuple(_statements_of(self))

    @cached_property
    def numbers(self) -> frozenset[float]:
        values = map(_value, _NUMBER.findall(self.text))
        return frozenset(value for value in values if value is not None)

    def has(self, figures: tuple[float, ...]) -> bool:
        """Return whether these are among its numbers, which are read only if it matters."""
        return not figures or self.numbers.issuperset(figures)


def sections_of(text: str, headings: Iterable[int]) -> Iterator[Passage]:
    """Yield the document in pieces between headings of the first two levels.

    A document without such headings, as slides often are, is one piece.
    """
    starts = sorted({1, *headings})
    lines = text.split("\n")
    for start, after in zip(starts, [*starts[1:], len(lines) + 1], strict=True):
        yield Passage("\n".join(lines[start - 1 : after - 1]), start)


def _statements_of(section: Passage) -> Iterator[Passage]:
    for each in _paragraphs_of(section):
        starts = [found.start() for found in _ENTRY.finditer(each.text)]
        for start, end in pairwise([0, *filter(None, starts), len(each.text)]):
            line = each.line + each.text.count("\n", 0, start)
            yield Passage(each.text[start:end].rstrip("\n"), line)


def _paragraphs_of(section: Passage) -> Iterator[Passage]:
    start, line = 0, section.line
    for gap in [*_PARAGRAPH_BREAK.finditer(section.text), None]:
        end = gap.start() if gap else len(section.text)
        text = section.text[start:end]
        if text.strip():
            yield Passage(text, line)
        if gap:
            start = gap.end()
            line += text.count("\n") + gap[0].count("\n")


def _line_of(passage: Passage, figure: float) -> int:
    for offset, line in enumerate(passage.text.split("\n")):
        if any(_value(number) == figure for number in _NUMBER.findall(line)):
            return passage.line + offset
    return passage.line


def _value(number: str) -> float | None:
    read = read_number(number.rstrip(","))
    return None if read is None else float(read)


def _erratum(section: Section, place: SourceLocation, subject: tuple[str, ...]) -> Erratum:
    identifier = section.attributes.id
    if identifier is None or not is_id(identifier) or section.level != 2:
        raise place.error(
            "an erratum is a heading of level 2 with an id",
            "Write ## what is wrong {#some-id concept=… figures=…}",
        )
    fields = Fields(section.attributes.values, place)
    figures = tuple(_figure(each, place) for each in fields.text("figures", default="").split())
    terms = _words(fields.text("terms", default=""))
    if not figures and not terms:
        raise place.error(
            "an erratum that cannot be recognized in any document",
            'Give it figures="…" or terms="…"',
        )
    found = find_examples(section.body, identifier, SourceLocation(place.file, section.body_line))
    source, says, right = _paragraphs(found.rest, place)
    own = found.examples[0].id if found.examples else None
    erratum = Erratum(
        id=identifier,
        title=section.title,
        concept=fields.id("concept"),
        source=source,
        says=says,
        right=right,
        place=place,
        figures=figures,
        terms=terms,
        unless=_words(fields.text("unless", default="")),
        subject=subject,
        example=fields.text("example", default="") or own,
        examples=found.examples,
    )
    fields.refuse_others()
    return erratum


def _words(text: str) -> tuple[str, ...]:
    return tuple(each.casefold() for each in text.split())


def _figure(text: str, place: SourceLocation) -> float:
    value = read_number(text)
    if value is None:
        raise place.error(f"the figure {text!r} is not a number")
    return float(value)


def _paragraphs(body: str, place: SourceLocation) -> tuple[str, ...]:
    """Return the texts of `**Source:**`, `**Says:**` and `**Right:**`, in that order."""
    marks = "|".join(_PARAGRAPHS)
    parts = re.split(rf"^\*\*({marks}):\*\*", body, flags=re.MULTILINE)
    texts = tuple(part.strip() for part in parts[2::2])
    if tuple(parts[1::2]) != _PARAGRAPHS or parts[0].strip() or not all(texts):
        raise place.error("an erratum has three paragraphs, **Source:** **Says:** **Right:**")
    return texts
