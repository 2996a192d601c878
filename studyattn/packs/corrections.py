"""Corrections: statements of a learner's own material that the errata contradict.

A text that denies the claim, or asks, is not contradicted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from studyattn.packs.errata import Passage, contradicted, heading_lines, sections_of
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
        Correction(each.id, each.title, _one_line(place.text), source, each.right)
        for each, place in _contradicted(Passage(statement, 1), errata)
    )


def correct_answer(text: str, source: str, errata: Iterable[Erratum]) -> tuple[Correction, ...]:
    """Return what contradicts a card's answer; its claim is quoted in the errata's short words."""
    return tuple(
        Correction(each.id, each.title, _one_line(each.says), source, each.right)
        for each, _ in _contradicted(Passage(text, 1), errata)
    )


def with_corrections(text: str, errata: Iterable[Erratum]) -> str:
    """Return a document with each correction as a quotation below the claim that it corrects.

    An erratum is told once, below its first claim.
    """
    entries = list(errata)
    below: dict[int, list[Erratum]] = {}
    for section in sections_of(text, heading_lines(read_document(text, "document"))):
        for erratum, place in _contradicted(section, entries):
            below.setdefault(place.last_line, []).append(erratum)
            entries.remove(erratum)
    lines = text.split("\n")
    for line in sorted(below, reverse=True):
        rows = [""]
        for each in below[line]:
            rows += [f"> **✗ {each.title}.** {_one_line(f'*Right:* {each.right}')}", ""]
        is_apart = lines[line : line + 1] <= [""]
        lines[line:line] = rows[:-1] if is_apart else rows
    return "\n".join(lines)


def _contradicted(section: Passage, errata: Iterable[Erratum]) -> list[tuple[Erratum, Passage]]:
    """Return the errata whose claim a section makes, each with the statement that makes it."""
    places = ((erratum, contradicted(section, erratum)) for erratum in errata)
    return [(erratum, place) for erratum, place in places if place is not None]


def _one_line(text: str) -> str:
    return " ".join(text.split())
