"""Errors that the installed packs know of: about a concept, and in the learner's own material.

Corrections are not stored. They are found again in the texts of concepts and cards that came from
no pack, so they also apply to what was imported before the packs knew of the error.
"""

from __future__ import annotations

from collections.abc import Iterable

from studyattn.packs.corrections import Correction, correct_answer, correct_statement
from studyattn.packs.errata import installed_errata
from studyattn.packs.model import Erratum
from studyattn.store.database import Connection
from studyattn.store.queries.concepts import own_cards, own_statements
from studyattn.study.profile import Profile


def read_errata(profile: Profile) -> tuple[Erratum, ...]:
    """Return all errata of the installed packs, in the packs' order."""
    return installed_errata(profile.home)


def corrections_on(
    connection: Connection, errata: Iterable[Erratum], concept_id: int
) -> tuple[Correction, ...]:
    """Return the errors in a concept, in those joined into it, and in their cards.

    An erratum that several of them contain is returned once, statements before cards.
    """
    cards = own_cards(connection, concept_id)
    statements = own_statements(connection, concept_id)
    texts = [text for each in (*statements, *cards) for text in (each.title, each.body)]
    # Most errata are about something else, and are not looked for in each of many cards.
    everything = "\n".join(texts).casefold()
    entries = [each for each in errata if all(term in everything for term in each.terms)]
    if not texts or not entries:
        return ()
    found: list[Correction] = []
    for own in statements:
        asked = (card.title for card in cards if card.concept_id == own.concept_id)
        if not any(question.startswith(own.title) for question in asked):
            found += correct_statement(own.title, own.body, own.source or "", entries)
    for card in cards:
        found += correct_answer(card.body, card.source or "", entries)
    first: dict[str, Correction] = {}
    for each in found:
        first.setdefault(each.erratum, each)
    return tuple(first.values())
