"""Looking for words in everything the learner has: notes, cards, concepts, sources."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from studyattn.store.queries.notes import concepts_of_cards, subjects_of_notes
from studyattn.store.search import MarkedText, find
from studyattn.store.search_schema import SearchKind
from studyattn.store.vocabulary import KNOWN_UNKNOWN, UNSEEN
from studyattn.study.concepts.board import ConceptLine, first_concepts
from studyattn.study.notes.notes import list_notes, list_sources, show_note
from studyattn.study.profile import Profile
from studyattn.study.review.browse import show_item
from studyattn.text.counting import count


class SearchResult(NamedTuple):
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
) -> list[SearchResult]:
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
        SearchResult(hit.kind, hit.key, hit.title, hit.excerpt, about.get((hit.kind, hit.key), ""))
        for hit in hits
    ]


def sources(profile: Profile, limit: int) -> list[SearchResult]:
    """Return the imported documents, the last one first."""
    return [
        SearchResult(
            SearchKind.SOURCE, each.guid, MarkedText(each.title), MarkedText(""), each.kind
        )
        for each in list_sources(profile)[:limit]
    ]


def offered(profile: Profile, limit: int) -> list[SearchResult]:
    """Return what there is to go to before anything is typed, at most `limit`.

    The notes that were changed last, then concepts in the order of the path: the known unknown ones
    first, then those to come.
    """
    changed = list_notes(profile, limit=limit // 2)
    with profile.database.read() as connection:
        subjects = subjects_of_notes(connection, [note.id for note in changed])
    notes = [
        SearchResult(
            SearchKind.NOTE,
            str(note.id),
            MarkedText(note.title),
            MarkedText(_first_line(note.body)),
            subjects.get(note.id, ""),
        )
        for note in changed
    ]
    lines = [
        line
        for state in (KNOWN_UNKNOWN, UNSEEN)
        for line in first_concepts(profile, state, limit - len(notes))
    ]
    concepts = [
        SearchResult(
            SearchKind.CONCEPT, each.slug, MarkedText(each.title), MarkedText(_tally(each)), ""
        )
        for each in lines
    ]
    return [*notes, *concepts][:limit]


def _first_line(body: str) -> str:
    """Return the first line of a note that is no heading."""
    lines = (line.strip() for line in body.splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")


def _tally(line: ConceptLine) -> str:
    parts = [count(line.cards, "card")]
    parts += [f"{line.held} held"] * (line.held > 0) + [f"{line.due} due"] * (line.due > 0)
    if line.drills:
        parts.append(f"{line.drills_passed} of {count(line.drills, 'drill')} passed")
    return ", ".join(parts)


def explained_by(profile: Profile, result: SearchResult) -> tuple[str, str] | None:
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
