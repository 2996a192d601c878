"""Corrections: statements of a learner's own material that the errata contradict.

A text that denies the claim, or asks, is not contradicted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from studyattn.packs.errata import (
    Passage,
    claims,
    heading_lines,
    numbers_in,
    sections_of,
    statements_of,
)
from studyattn.text.document import read_document

if TYPE_CHECKING:
    from studyattn.packs.model import Erratum


class Correction(NamedTuple):
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
        blocks = list(statements_of(section))
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


def _contradicted(text: str, errata: Iterable[Erratum]) -> list[tuple[Erratum, str]]:
    """Return the errata that a text repeats, each with the statement that makes the claim.

    Of a claim known by figures alone that is the statement with the first of them.
    """
    statements = list(statements_of(Passage(text, 1)))
    plain = text.casefold()
    figures: frozenset[float] | None = None
    found: list[tuple[Erratum, str]] = []
    for erratum in errata:
        if not all(term in plain for term in erratum.terms):
            continue  # which rules out most errata at once for most of thousands of answers
        place = next((each for each in statements if claims(each.plain, erratum)), None)
        if erratum.terms and place is None:
            continue
        if erratum.figures:
            figures = numbers_in(text) if figures is None else figures
            if not figures.issuperset(erratum.figures):
                continue
        if place is None:
            first = erratum.figures[0]
            place = next(each for each in statements if first in each.numbers)
            if any(word in place.plain for word in erratum.unless):
                continue
        found.append((erratum, place.text))
    return found


def _one_line(text: str) -> str:
    return " ".join(text.split())
