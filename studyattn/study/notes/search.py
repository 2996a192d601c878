"""Looking for words in everything the learner has: notes, cards, concepts, sources."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from studyattn.store.queries.notes import concepts_of_cards, subjects_of_notes
from studyattn.store.search import MarkedText, find
from studyattn.store.search_schema import SearchKind
from studyattn.study.notes.notes import show_note
from studyattn.study.profile import Profile
from studyattn.study.review.browse import show_item


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
    """Find everything that has every word of `query`, the best first; an empty query finds none.

    When the index of words finds nothing, all texts are read for parts of words, which takes
    longer: `as_text=False` leaves that out.
    """
    with profile.database.read() as connection:
        hits = find(connection, query, kinds=kinds, limit=limit, as_text=as_text)
        cards = concepts_of_cards(
            connection, [hit.key for hit in hits if hit.kind is SearchKind.CARD]
        )
        notes = subjects_of_notes(
            connection, [int(hit.key) for hit in hits if hit.kind is SearchKind.NOTE]
        )
    about = {
        **{(SearchKind.CARD, guid): title for guid, title in cards.items()},
        **{(SearchKind.NOTE, str(number)): title for number, title in notes.items()},
    }
    return [
        Result(hit.kind, hit.key, hit.title, hit.excerpt, about.get((hit.kind, hit.key), ""))
        for hit in hits
    ]


def explained_by(profile: Profile, result: Result) -> tuple[str, str] | None:
    """Return the concept that explains a result, by its slug, and the guid of a card or "".

    None for a document, and for a note that is not about a concept.
    """
    if result.kind is SearchKind.CONCEPT:
        return result.key, ""
    if result.kind is SearchKind.CARD:
        return show_item(profile, result.key).concept_slug, result.key
    if result.kind is SearchKind.NOTE:
        concept = show_note(profile, int(result.key)).concept
        return None if concept is None else (concept, "")
    return None
