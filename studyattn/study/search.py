"""Looking for words in everything the learner has: notes, cards, concepts, sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select
from sqlalchemy.orm import aliased

from studyattn.store.models import Concept, Item, Note, Source
from studyattn.store.search import Hit, Kind, Marked, find
from studyattn.study.learner import Learner


@dataclass(frozen=True, slots=True)
class Result:
    """One thing that was found, and where to go for it."""

    kind: Kind
    key: str  # a concept's slug, a note's number, the guid of a card or a source
    title: Marked
    excerpt: Marked
    about: str  # the concept that a card or a note belongs to, or the note's source; "" for none


def search(
    learner: Learner,
    query: str,
    *,
    kinds: Iterable[Kind] = tuple(Kind),
    limit: int = 50,
    as_text: bool = True,
) -> list[Result]:
    """What has every word of `query`, the best first. No query is refused; an empty one finds none.

    When the index of words finds nothing, all texts are read for parts of words, which takes
    longer: `as_text=False` leaves that out.
    """
    with learner.database.read() as connection:
        hits = find(connection, query, kinds=kinds, limit=limit, as_text=as_text)
        about = _about(connection, hits)
    return [
        Result(hit.kind, hit.key, hit.title, hit.excerpt, about.get((hit.kind, hit.key), ""))
        for hit in hits
    ]


def _about(connection: Connection, hits: Sequence[Hit]) -> dict[tuple[Kind, str], str]:
    """What the cards and notes among the hits belong to."""
    cards = [hit.key for hit in hits if hit.kind is Kind.CARD]
    notes = [int(hit.key) for hit in hits if hit.kind is Kind.NOTE]
    found: dict[tuple[Kind, str], str] = {}
    if cards:
        whole = aliased(Concept)
        statement = (
            select(Item.guid, func.coalesce(whole.title, Concept.title))
            .join(Concept, Concept.id == Item.concept_id)
            .outerjoin(whole, whole.id == Concept.joined_into_id)
            .where(Item.guid.in_(cards))
        )
        found.update({(Kind.CARD, guid): title for guid, title in connection.execute(statement)})
    if notes:
        named = (
            select(Note.id, func.coalesce(Concept.title, Source.title, ""))
            .outerjoin(Concept, Concept.id == Note.concept_id)
            .outerjoin(Source, Source.id == Note.source_id)
            .where(Note.id.in_(notes))
        )
        rows = connection.execute(named)
        found.update({(Kind.NOTE, str(number)): title for number, title in rows})
    return found
