"""Find what a pack teaches although its own errata call it an error.

An erratum is recognised in what the pack says as it is in a learner's material. Listings are left
aside: an example may run the wrong numbers to show that they are wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from studyattn.packs.check.finding import Finding
from studyattn.packs.check.stated_numbers import LISTINGS
from studyattn.packs.corrections import correct_statement
from studyattn.packs.model import Pack, SourceLocation


def check(pack: Pack) -> Iterator[Finding]:
    """All findings of this part."""
    for place, text in _taught(pack):
        for found in correct_statement(LISTINGS.sub("", text), "", "", pack.errata):
            yield Finding(place, f"teaches what the erratum {found.erratum!r} corrects")


def _taught(pack: Pack) -> Iterator[tuple[SourceLocation, str]]:
    """Every text that a learner may believe, and where it is."""
    for concept in pack.concepts.values():
        yield concept.place, concept.body
        for point in concept.key_points:
            yield point.place, point.text
        for card in concept.cards:
            yield card.place, f"{card.front}\n\n{card.back}"
    for bug in pack.bugs.values():
        yield bug.place, bug.answer
    for brief in pack.drills.values():
        yield brief.place, brief.text
    for erratum in pack.errata:
        yield erratum.place, erratum.right
