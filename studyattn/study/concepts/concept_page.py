"""Everything known about one concept as one value: for its page, and for `concept show`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from studyattn.errors import NotFoundError
from studyattn.packs.corrections import Correction, correct_answer, correct_statement
from studyattn.packs.errata import installed_errata
from studyattn.packs.model import Erratum
from studyattn.packs.model_runs import ModelRun, installed_runs
from studyattn.store.database import Connection
from studyattn.store.queries.concept_changes import ConceptChange, changes_of
from studyattn.store.queries.concepts import (
    OwnText,
    StoredConcept,
    all_concepts,
    concept_body,
    find_concept,
    joined_concepts,
    own_cards,
    own_statements,
)
from studyattn.store.queries.item_search import items_of_concept
from studyattn.store.queries.notes import NoteView
from studyattn.store.queries.queue import requirements
from studyattn.study.concepts.board import ConceptLine, concept_lines
from studyattn.study.concepts.suggestions import (
    facts_of,
    mistakes_of,
    mistakes_seen,
    put_off_today,
    suggestion_of,
)
from studyattn.study.notes.note_links import LinkingNote, linking_notes
from studyattn.study.notes.notes import list_notes
from studyattn.study.profile import Profile
from studyattn.study.review.browse import BrowsedItem, browsed_items
from studyattn.study.rules.evidence import Evidence, Suggestion, list_evidence
from studyattn.study.rules.mistakes import MistakeSeen


class ConceptNode(NamedTuple):
    """A concept in the graph of requirements."""

    slug: str
    title: str
    state: str


class ConceptGraph(NamedTuple):
    """The concepts that one requires and unlocks, directly and through others, and itself.

    Concepts are in the order of their path; a joined one counts as the one it is joined into.
    """

    nodes: Mapping[str, ConceptNode]  # by slug
    requires: Mapping[str, tuple[str, ...]]  # slugs, of each node
    unlocks: Mapping[str, tuple[str, ...]]  # the same edges, the other way

    def titled(self, slugs: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """Return slugs, each with its title."""
        return tuple((each, self.nodes[each].title) for each in slugs)


class ConceptPage(NamedTuple):
    """Everything known about one concept."""

    line: ConceptLine
    body: str  # Markdown
    requires: tuple[tuple[str, str], ...]  # (slug, title)
    unlocks: tuple[tuple[str, str], ...]
    graph: ConceptGraph
    joined: tuple[tuple[str, str], ...]  # concepts that were joined into this one
    items: tuple[BrowsedItem, ...]
    evidence: tuple[Evidence, ...]
    suggestion: Suggestion | None  # none when it was put off until tomorrow
    notes: tuple[NoteView, ...]  # the last changed first
    linked_notes: tuple[LinkingNote, ...]  # notes that link to it, whatever they are about
    mistakes: tuple[MistakeSeen, ...]  # seen in code, the latest first
    corrections: tuple[Correction, ...]  # what its own statement, or a card of it, gets wrong
    errata: tuple[Erratum, ...]  # what other sources get wrong about it
    changes: tuple[ConceptChange, ...]  # of its state, oldest first
    runs: tuple[ModelRun, ...] = ()  # what was measured in a real model


def show_concept(profile: Profile, slug: str) -> ConceptPage:
    """Return one concept with its evidence. Raises NotFoundError."""
    notes, errata = tuple(list_notes(profile, slug)), installed_errata(profile.home)
    with profile.database.read() as connection:
        concept = find_concept(connection, slug)
        if concept.retired:
            raise NotFoundError(
                f"the concept {slug!r} is no longer in its pack",
                advice="`studyattn concept list` lists its concepts.",
            )
        rows = all_concepts(connection)
        (line,) = concept_lines(connection, profile, rows, (concept,))
        items = items_of_concept(connection, concept.id)
        seen = mistakes_seen(connection)
        facts = facts_of(connection, profile.scheduler, (concept,), seen)[concept.id]
        put_off = slug in put_off_today(connection, profile)
        graph = _graph(connection, rows, slug)
        corrections = _corrections_on(connection, errata, concept.id)
        corrected = {each.erratum for each in corrections}
        return ConceptPage(
            line=line,
            body=concept_body(connection, concept.id),
            requires=graph.titled(graph.requires[slug]),
            unlocks=graph.titled(graph.unlocks[slug]),
            graph=graph,
            joined=tuple(
                (each.slug, each.title) for each in joined_concepts(connection, concept.id)
            ),
            items=tuple(browsed_items(connection, profile, items)),
            evidence=list_evidence(facts),
            suggestion=None if put_off else suggestion_of(concept, facts),
            notes=notes,
            linked_notes=linking_notes(connection, rows, slug),
            mistakes=mistakes_of(connection, (concept.id,), seen)[concept.id],
            corrections=corrections,
            errata=tuple(
                each for each in errata if each.concept == slug and each.id not in corrected
            ),
            changes=changes_of(connection, concept.id),
            runs=tuple(each for each in installed_runs(profile.home) if each.concept == slug),
        )


def _corrections_on(
    connection: Connection, errata: Iterable[Erratum], concept_id: int
) -> tuple[Correction, ...]:
    """Return the errors in a concept, in those joined into it, and in their cards.

    They are not stored but found again in the texts of concepts and cards that came from no pack,
    so they also apply to what was imported before the packs knew of the error. An erratum that
    several of them contain is returned once, statements before cards.
    """
    cards = own_cards(connection, concept_id)
    statements = own_statements(connection, concept_id)
    # Most errata are about something else, and are not looked for in each of many cards.
    everything = "\n".join(f"{each.title}\n{each.body}" for each in (*statements, *cards))
    everything = everything.casefold()
    entries = [each for each in errata if all(term in everything for term in each.terms)]
    if not entries:
        return ()
    first: dict[str, Correction] = {}
    for each in _found(statements, cards, entries):
        first.setdefault(each.erratum, each)
    return tuple(first.values())


def _found(
    statements: Iterable[OwnText], cards: Sequence[OwnText], entries: Sequence[Erratum]
) -> Iterator[Correction]:
    """Yield the errors in statements that no card of the same concept asks for, and in cards."""
    for own in statements:
        asked = (card.title for card in cards if card.concept_id == own.concept_id)
        if not any(question.startswith(own.title) for question in asked):
            yield from correct_statement(own.title, own.body, own.source or "", entries)
    for card in cards:
        yield from correct_answer(card.body, card.source or "", entries)


def _graph(connection: Connection, rows: Sequence[StoredConcept], slug: str) -> ConceptGraph:
    by_id = {row.id: row for row in rows}
    whole = {row.id: by_id.get(row.joined_into_id or row.id, row).slug for row in rows}
    requires: defaultdict[str, set[str]] = defaultdict(set)
    unlocks: defaultdict[str, set[str]] = defaultdict(set)
    for concept_id, requires_id in requirements(connection):
        one, other = whole.get(concept_id), whole.get(requires_id)
        if one is not None and other is not None and one != other:
            requires[one].add(other)
            unlocks[other].add(one)
    near = _reach(slug, requires) | _reach(slug, unlocks)
    nodes = {
        row.slug: ConceptNode(row.slug, row.title, row.state) for row in rows if row.slug in near
    }

    def in_order(edges: Mapping[str, Collection[str]]) -> dict[str, tuple[str, ...]]:
        return {
            each: tuple(other for other in nodes if other in edges[each]) for each in sorted(near)
        }

    return ConceptGraph(nodes, in_order(requires), in_order(unlocks))


def _reach(start: str, edges: Mapping[str, Iterable[str]]) -> set[str]:
    """Return everything that can be reached from `start`, and itself."""
    reached, waiting = {start}, [start]
    while waiting:
        found = set(edges[waiting.pop()]) - reached
        reached |= found
        waiting += found
    return reached
