"""What the installed packs know to be wrong: about a concept, and in the learner's own material.

Corrections are not stored. They are found again in the texts of concepts and cards that came from
no pack, so they also hold for what was imported before the packs knew of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, select

from studyattn.packs.corrections import Correction, correct_answer, correct_statement
from studyattn.packs.errata import installed_errata
from studyattn.packs.model import Erratum
from studyattn.store.models import CardRow, ConceptRow, ItemRow, SourceRow
from studyattn.study.concepts.concept_rows import WHOLE
from studyattn.study.profile import Profile


def read_errata(profile: Profile) -> tuple[Erratum, ...]:
    """Return all errata of the installed packs, in the packs' order."""
    return installed_errata(profile.home)


def corrections_on(
    connection: Connection, errata: Iterable[Erratum], concept_id: int
) -> tuple[Correction, ...]:
    """Return what is wrong in a concept, in those joined into it, and in their cards.

    Of what several of them say the first is returned, statements before cards.
    """
    entries = tuple(errata)
    first: dict[str, Correction] = {}
    for each in _all_corrections(connection, entries, concept_id) if entries else ():
        first.setdefault(each.erratum, each)
    return tuple(first.values())


def _all_corrections(
    connection: Connection, errata: tuple[Erratum, ...], concept_id: int
) -> Iterator[Correction]:
    cards = connection.execute(
        select(ItemRow.concept_id, CardRow.front, CardRow.back, SourceRow.title.label("source"))
        .join(ConceptRow, ConceptRow.id == ItemRow.concept_id)
        .join(CardRow, CardRow.item_id == ItemRow.id)
        .outerjoin(SourceRow, SourceRow.id == ItemRow.source_id)
        .where(WHOLE.in_((concept_id,)), ItemRow.pack.is_(None), ~ItemRow.retired)
        .order_by(ItemRow.position, ItemRow.id)
    ).all()
    statements = connection.execute(
        select(ConceptRow.id, ConceptRow.title, ConceptRow.body, SourceRow.title.label("source"))
        .outerjoin(SourceRow, SourceRow.id == ConceptRow.source_id)
        .where(WHOLE.in_((concept_id,)), ConceptRow.pack.is_(None), ~ConceptRow.retired)
        .order_by(ConceptRow.id)
    )
    for row in statements:
        asked = (card.front for card in cards if card.concept_id == row.id)
        if not any(front.startswith(row.title) for front in asked):
            yield from correct_statement(row.title, row.body, row.source or "", errata)
    for card in cards:
        yield from correct_answer(card.back, card.source or "", errata)
