"""Errata: what sources about the subject get wrong, and which documents say it.

A document is recognised by the figures and words of the claim, never by its sentences: a claim
that was copied, translated or rephrased keeps its numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

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
_PARAGRAPH_BREAK = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class MatchedErratum:
    """An erratum that a document repeats, and the line of its first sign."""

    erratum: Erratum
    line: int


def read_errata(text: str, file: Path) -> tuple[tuple[Erratum, ...], list[PackError]]:
    """All entries of an errata file, and what is wrong with single ones, which are left out."""
    document = read_document(without_checks(text), str(file), strict=True)
    problems: list[PackError] = []
    found: list[Erratum] = []
    for section in document.sections:
        try:
            found.append(_erratum(section, SourceLocation(str(file), section.line)))
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
    text: str, errata: Iterable[Erratum], headings: Iterable[int] | None = None
) -> tuple[MatchedErratum, ...]:
    """Return the errata that a document repeats, in the order in which they stand in `errata`.

    `headings` are the lines of its headings of the first two levels, for a caller who has read the
    document; without them it is read here.
    """
    if headings is None:
        headings = heading_lines(read_document(text, "document"))
    sections = list(sections_of(text, headings))
    paragraphs = [each for section in sections for each in paragraphs_of(section)]
    found: list[MatchedErratum] = []
    for erratum in errata:
        by_figures = [each for each in sections if _has_figures(each, erratum)]
        by_terms = [each for each in paragraphs if _has_terms(each, erratum)]
        if erratum.figures and erratum.terms:
            inside = [
                part
                for part in by_terms
                if any(each.line <= part.line <= each.last_line for each in by_figures)
            ]
            line = inside[0].line if inside else None
        elif erratum.figures:
            line = _line_of(by_figures[0], erratum.figures[0]) if by_figures else None
        else:
            line = by_terms[0].line if by_terms else None
        if line is not None:
            found.append(MatchedErratum(erratum, line))
    return tuple(found)


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
    def numbers(self) -> frozenset[float]:
        return numbers_in(self.text)


def sections_of(text: str, headings: Iterable[int]) -> Iterator[Passage]:
    """Yield the document in pieces between headings of the first two levels.

    A document without such headings, as slides often are, is one piece.
    """
    starts = sorted({1, *headings})
    lines = text.split("\n")
    for start, after in zip(starts, [*starts[1:], len(lines) + 1], strict=True):
        yield Passage("\n".join(lines[start - 1 : after - 1]), start)


def paragraphs_of(section: Passage) -> Iterator[Passage]:
    """Yield the paragraphs of a section that are not blank."""
    start, line = 0, section.line
    for gap in [*_PARAGRAPH_BREAK.finditer(section.text), None]:
        end = gap.start() if gap else len(section.text)
        text = section.text[start:end]
        if text.strip():
            yield Passage(text, line)
        if gap:
            start = gap.end()
            line += text.count("\n") + gap[0].count("\n")


def split_paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text that are not blank."""
    return [each for each in _PARAGRAPH_BREAK.split(text) if each.strip()]


def numbers_in(text: str) -> frozenset[float]:
    """Return the values of all numbers in a text."""
    values = (_value(number) for number in _NUMBER.findall(text))
    return frozenset(value for value in values if value is not None)


def _has_figures(passage: Passage, erratum: Erratum) -> bool:
    return bool(erratum.figures) and passage.numbers.issuperset(erratum.figures)


def _has_terms(passage: Passage, erratum: Erratum) -> bool:
    return bool(erratum.terms) and all(term in passage.plain for term in erratum.terms)


def _line_of(passage: Passage, figure: float) -> int:
    for offset, line in enumerate(passage.text.split("\n")):
        if any(_value(number) == figure for number in _NUMBER.findall(line)):
            return passage.line + offset
    return passage.line


def _value(number: str) -> float | None:
    read = read_number(number.rstrip(","))
    return None if read is None else float(read)


def _erratum(section: Section, place: SourceLocation) -> Erratum:
    identifier = section.attributes.id
    if identifier is None or not is_id(identifier) or section.level != 2:
        raise PackError(
            "an erratum is a heading of level 2 with an id",
            where=str(place),
            advice="Write ## what is wrong {#some-id concept=… figures=…}",
        )
    fields = Fields(section.attributes.values, place)
    figures = tuple(_figure(each, place) for each in fields.text("figures", default="").split())
    terms = _words(fields.text("terms", default=""))
    if not figures and not terms:
        raise PackError(
            "an erratum that cannot be recognized in any document",
            where=str(place),
            advice='Give it figures="…" or terms="…"',
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
        raise PackError(f"the figure {text!r} is not a number", where=str(place))
    return float(value)


def _paragraphs(body: str, place: SourceLocation) -> tuple[str, ...]:
    """Return the texts of `**Source:**`, `**Says:**` and `**Right:**`, in that order."""
    marks = "|".join(_PARAGRAPHS)
    parts = re.split(rf"^\*\*({marks}):\*\*", body, flags=re.MULTILINE)
    texts = tuple(part.strip() for part in parts[2::2])
    if tuple(parts[1::2]) != _PARAGRAPHS or parts[0].strip() or not all(texts):
        raise PackError(
            "an erratum has three paragraphs, **Source:** **Says:** **Right:**", where=str(place)
        )
    return texts
