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
from studyattn.store.models import Card, Concept, Item, Source
from studyattn.study.conceptrows import WHOLE
from studyattn.study.learner import Learner


def read_errata(learner: Learner) -> tuple[Erratum, ...]:
    """Return all errata of the installed packs, in the packs' order."""
    return installed_errata(learner.home)


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
        select(Item.concept_id, Card.front, Card.back, Source.title.label("source"))
        .join(Concept, Concept.id == Item.concept_id)
        .join(Card, Card.item_id == Item.id)
        .outerjoin(Source, Source.id == Item.source_id)
        .where(WHOLE.in_((concept_id,)), Item.pack.is_(None), ~Item.retired)
        .order_by(Item.position, Item.id)
    ).all()
    statements = connection.execute(
        select(Concept.id, Concept.title, Concept.body, Source.title.label("source"))
        .outerjoin(Source, Source.id == Concept.source_id)
        .where(WHOLE.in_((concept_id,)), Concept.pack.is_(None), ~Concept.retired)
        .order_by(Concept.id)
    )
    for row in statements:
        asked = (card.front for card in cards if card.concept_id == row.id)
        if not any(front.startswith(row.title) for front in asked):
            yield from correct_statement(row.title, row.body, row.source or "", errata)
    for card in cards:
        yield from correct_answer(card.back, card.source or "", errata)
