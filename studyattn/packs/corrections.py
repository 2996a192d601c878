"""Corrections: statements of a learner's own material that the errata contradict.

`errata.recognise` warns of a whole document and may be generous. A correction decides what becomes
of one statement, so it is careful: a text that denies the claim, or asks, is not contradicted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from studyattn.packs.errata import (
    Passage,
    heading_lines,
    numbers_in,
    paragraphs_of,
    sections_of,
    split_paragraphs,
)
from studyattn.packs.model import Erratum
from studyattn.text.document import read_document

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nor|neither|cannot|independent|independently|wrong|false)\b|n['’]t\b"
)
_SENTENCE_BREAK = re.compile(r"(?<=[.!?;])\s+")
_LIST_ITEM = re.compile(r"^ {0,3}(?:[-*+]|\d+[.)])\s+", re.MULTILINE)
_LEAST_TERMS = 2
"""Terms of the claim that a sentence must hold for its negation to deny the claim."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A claim of the material, its place, and the correction."""

    erratum: str
    """The id of the erratum."""
    title: str
    says: str
    """The claim; one line of Markdown."""
    source: str
    """The title of the document that says so; empty when it came from none."""
    right: str
    """Markdown."""

    @property
    def markdown(self) -> str:
        """Claim, source and correction, one below the other."""
        source = f" (“{self.source}”)" if self.source else ""
        return f"**{self.title}**\n\n*It says*{source}: {self.says}\n\n*Right:* {self.right}"


def correct_statement(
    title: str, body: str, source: str, errata: Iterable[Erratum]
) -> tuple[Correction, ...]:
    """Return what contradicts a concept's statement, which is quoted in its own words."""
    statement = f"{title}: {body}" if body and not body.startswith(title) else body or title
    return tuple(
        Correction(each.id, each.title, _one_line(paragraph), source, each.right)
        for each, paragraph in _contradicted(statement, errata)
    )


def correct_answer(text: str, source: str, errata: Iterable[Erratum]) -> tuple[Correction, ...]:
    """Return what contradicts a card's answer; its claim is quoted in the errata's short words."""
    return tuple(
        Correction(each.id, each.title, _one_line(each.says), source, each.right)
        for each, _ in _contradicted(text, errata)
    )


def with_corrections(text: str, errata: Iterable[Erratum]) -> str:
    """Return a document with each correction as a quotation below the claim that it corrects.

    An erratum is told once, below its first claim.
    """
    entries = list(errata)
    below: dict[int, list[Erratum]] = {}
    for section in sections_of(text, heading_lines(read_document(text, "document"))):
        blocks = [each for paragraph in paragraphs_of(section) for each in _items_of(paragraph)]
        apart = "\n\n".join(each.text for each in blocks)
        for erratum, paragraph in _contradicted(apart, entries):
            block = next(each for each in blocks if each.text.strip() == paragraph.strip())
            below.setdefault(block.last_line, []).append(erratum)
            entries.remove(erratum)
    lines = text.split("\n")
    for line in sorted(below, reverse=True):
        told = [
            f"> **✗ {each.title}.** {_one_line(f'*Right:* {each.right}')}" for each in below[line]
        ]
        rows = [row for each in told for row in ("", each)]
        lines[line:line] = [*rows, ""] if lines[line : line + 1] > [""] else rows
    return "\n".join(lines)


def _items_of(paragraph: Passage) -> list[Passage]:
    """Return a list item by item, and what is no list as it is."""
    starts = [found.start() for found in _LIST_ITEM.finditer(paragraph.text)]
    edges = [0, *(start for start in starts if start), len(paragraph.text)]
    return [
        Passage(
            paragraph.text[start:end].rstrip("\n"),
            paragraph.line + paragraph.text.count("\n", 0, start),
        )
        for start, end in pairwise(edges)
    ]


def _contradicted(text: str, errata: Iterable[Erratum]) -> list[tuple[Erratum, str]]:
    """Return the errata that a text repeats, each with the paragraph that makes the claim.

    Of a claim known by figures alone that is the paragraph with the first of them.
    """
    paragraphs = split_paragraphs(text)
    plain = [each.casefold() for each in paragraphs]
    figures: frozenset[float] | None = None
    found: list[tuple[Erratum, str]] = []
    for erratum in errata:
        place = _claimed(plain, erratum.terms)
        if erratum.terms and place is None:
            continue
        if erratum.figures:
            figures = numbers_in(text) if figures is None else figures
            if not figures.issuperset(erratum.figures):
                continue
        if place is None:
            first = erratum.figures[0]
            place = next(at for at, each in enumerate(paragraphs) if first in numbers_in(each))
        if any(word in plain[place] for word in erratum.unless):
            continue
        found.append((erratum, paragraphs[place]))
    return found


def _claimed(paragraphs: Sequence[str], terms: Sequence[str]) -> int | None:
    """The first paragraph that holds all terms and neither denies the claim nor asks for it."""
    for place, paragraph in enumerate(paragraphs):
        named = terms and all(term in paragraph for term in terms)
        if named and not paragraph.rstrip().endswith("?") and not _denied(paragraph, terms):
            return place
    return None


def _denied(paragraph: str, terms: Sequence[str]) -> bool:
    """Return whether a sentence about the claim has a negation that is not the claim's own."""
    least = min(_LEAST_TERMS, len(terms))
    return any(
        sum(term in sentence for term in terms) >= least
        and any(word not in terms for word in _NEGATION.findall(sentence))
        for sentence in _SENTENCE_BREAK.split(paragraph)
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())
