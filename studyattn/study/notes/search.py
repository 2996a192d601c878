"""Looking for words in everything the learner has: notes, cards, concepts, sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select
from sqlalchemy.orm import aliased

from studyattn.store.models import ConceptRow, ItemRow, NoteRow, SourceRow
from studyattn.store.search import Hit, MarkedText, SearchKind, find
from studyattn.study.profile import Profile


@dataclass(frozen=True, slots=True)
class Result:
    """One thing that was found, and where to go for it."""

    kind: SearchKind
    key: str  # a concept's slug, a note's number, the guid of a card or a source
    title: MarkedText
    excerpt: MarkedText
    about: str  # the concept that a card or a note belongs to, or the note's source; "" for none


def search(
    profile: Profile,
    query: str,
    *,
    kinds: Iterable[SearchKind] = tuple(SearchKind),
    limit: int = 50,
    as_text: bool = True,
) -> list[Result]:
    """What has every word of `query`, the best first. No query is refused; an empty one finds none.

    When the index of words finds nothing, all texts are read for parts of words, which takes
    longer: `as_text=False` leaves that out.
    """
    with profile.database.read() as connection:
        hits = find(connection, query, kinds=kinds, limit=limit, as_text=as_text)
        about = _about(connection, hits)
    return [
        Result(hit.kind, hit.key, hit.title, hit.excerpt, about.get((hit.kind, hit.key), ""))
        for hit in hits
    ]


def _about(connection: Connection, hits: Sequence[Hit]) -> dict[tuple[SearchKind, str], str]:
    """What the cards and notes among the hits belong to."""
    cards = [hit.key for hit in hits if hit.kind is SearchKind.CARD]
    notes = [int(hit.key) for hit in hits if hit.kind is SearchKind.NOTE]
    found: dict[tuple[SearchKind, str], str] = {}
    if cards:
        whole = aliased(ConceptRow)
        statement = (
            select(ItemRow.guid, func.coalesce(whole.title, ConceptRow.title))
            .join(ConceptRow, ConceptRow.id == ItemRow.concept_id)
            .outerjoin(whole, whole.id == ConceptRow.joined_into_id)
            .where(ItemRow.guid.in_(cards))
        )
        found.update(
            {(SearchKind.CARD, guid): title for guid, title in connection.execute(statement)}
        )
    if notes:
        named = (
            select(NoteRow.id, func.coalesce(ConceptRow.title, SourceRow.title, ""))
            .outerjoin(ConceptRow, ConceptRow.id == NoteRow.concept_id)
            .outerjoin(SourceRow, SourceRow.id == NoteRow.source_id)
            .where(NoteRow.id.in_(notes))
        )
        rows = connection.execute(named)
        found.update({(SearchKind.NOTE, str(number)): title for number, title in rows})
    return found
