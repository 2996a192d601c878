"""All that is known of one concept, as one value: for its page, and for `concept show`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from studyattn.errors import NotFoundError
from studyattn.memory import Phase, elapsed_days
from studyattn.memory.fit import retrievability
from studyattn.packs.corrections import Correction
from studyattn.packs.model import Erratum
from studyattn.store.models import ConceptRequiresRow, ConceptRow
from studyattn.study.concepts.board import ConceptLine, concept_lines
from studyattn.study.concepts.concept_rows import (
    ConceptChange,
    changes_of,
    concept_rows,
    find_concept,
    items_of,
)
from studyattn.study.concepts.errata import corrections_on, read_errata
from studyattn.study.concepts.suggestions import (
    Evidence,
    evidence,
    mistakes_of,
    put_off_today,
    suggest,
)
from studyattn.study.notes.note_links import LinkingNote, linking_notes
from studyattn.study.notes.notes import NoteView, list_notes
from studyattn.study.practice.drill_log import drill_states
from studyattn.study.practice.mistakes import MistakeSeen, mistakes_seen
from studyattn.study.profile import Profile
from studyattn.study.records import AnyRow
from studyattn.study.review.queue import details
from studyattn.study.review.views import DRILL, Suggestion


@dataclass(frozen=True, slots=True)
class ItemLine:
    """An item on its concept's page."""

    guid: str
    kind: str
    title: str
    phase: Phase
    stability: float | None  # days
    difficulty: float | None  # 1 to 10
    retrievability: float | None  # the chance of recalling it now
    due: datetime | None
    lapses: int
    suspended: bool
    drill_state: str | None  # new | tried | passed | revealed; None for a card


@dataclass(frozen=True, slots=True)
class ConceptNode:
    """A concept in the graph of what requires what."""

    slug: str
    title: str
    state: str


@dataclass(frozen=True, slots=True)
class ConceptGraph:
    """What a concept requires and unlocks, directly and by others, with the concept itself.

    Concepts stand in the order of their path; a joined one speaks as what it is joined into.
    """

    nodes: Mapping[str, ConceptNode]  # by slug
    requires: Mapping[str, tuple[str, ...]]  # slugs, of each node
    unlocks: Mapping[str, tuple[str, ...]]  # the same edges, the other way


@dataclass(frozen=True, slots=True)
class ConceptPage:
    """All that is known of one concept."""

    line: ConceptLine
    body: str  # Markdown
    requires: tuple[tuple[str, str], ...]  # (slug, title)
    unlocks: tuple[tuple[str, str], ...]
    graph: ConceptGraph
    joined: tuple[tuple[str, str], ...]  # concepts that were joined into this one
    items: tuple[ItemLine, ...]
    evidence: tuple[Evidence, ...]
    suggestion: Suggestion | None  # none when it was put off until tomorrow
    notes: tuple[NoteView, ...]  # the last changed first
    linked_notes: tuple[LinkingNote, ...]  # notes that link to it, whatever they are about
    mistakes: tuple[MistakeSeen, ...]  # seen in code, the latest first
    corrections: tuple[Correction, ...]  # what its own statement, or a card of it, gets wrong
    errata: tuple[Erratum, ...]  # what other sources get wrong about it
    changes: tuple[ConceptChange, ...]  # of its state, oldest first


def show_concept(profile: Profile, slug: str) -> ConceptPage:
    """One concept with its evidence. Raises NotFoundError."""
    notes, errata = tuple(list_notes(profile, slug)), read_errata(profile)
    with profile.database.read() as connection:
        row = find_concept(connection, slug)
        if row.retired:
            raise NotFoundError(
                f"the concept {slug!r} is no longer in its pack",
                advice="`studyattn concept list` shows those that are.",
            )
        (line,) = concept_lines(connection, profile.clock.now(), slug=slug)
        items = items_of(connection, row.id)
        seen = mistakes_seen(connection)
        graph = _graph(connection, slug)
        corrections = corrections_on(connection, errata, row.id)
        corrected = {each.erratum for each in corrections}
        return ConceptPage(
            line=line,
            body=row.body,
            requires=_named(graph, graph.requires[slug]),
            unlocks=_named(graph, graph.unlocks[slug]),
            graph=graph,
            joined=_joined_into(connection, row.id),
            items=_item_lines(connection, profile, items),
            evidence=evidence(connection, profile, row, items, seen),
            suggestion=None
            if slug in put_off_today(connection, profile)
            else suggest(connection, profile, row, items, seen),
            notes=notes,
            linked_notes=linking_notes(connection, slug),
            mistakes=mistakes_of(connection, row, seen),
            corrections=corrections,
            errata=tuple(
                each for each in errata if each.concept == slug and each.id not in corrected
            ),
            changes=changes_of(connection, row.id),
        )


def _joined_into(connection: Connection, concept_id: int) -> tuple[tuple[str, str], ...]:
    rows = connection.execute(
        select(ConceptRow.slug, ConceptRow.title)
        .where(ConceptRow.joined_into_id == concept_id, ~ConceptRow.retired)
        .order_by(ConceptRow.id)
    )
    return tuple((row.slug, row.title) for row in rows)


def _item_lines(
    connection: Connection, profile: Profile, items: Sequence[AnyRow]
) -> tuple[ItemLine, ...]:
    titles = {each.guid: each.title for each in details(connection, [i.guid for i in items])}
    states = drill_states(connection)
    today = profile.today()
    parameters = profile.settings.scheduling.parameters

    def recall(row: AnyRow) -> float | None:
        if row.stability is None or row.last_day is None:
            return None
        return retrievability(row.stability, elapsed_days(row.last_day, today), parameters)

    return tuple(
        ItemLine(
            guid=row.guid,
            kind=row.kind,
            title=titles.get(row.guid, ""),
            phase=Phase(row.phase),
            stability=row.stability,
            difficulty=row.difficulty,
            retrievability=recall(row),
            due=row.due,
            lapses=row.lapses,
            suspended=row.suspended,
            drill_state=states.get(row.guid, "new") if row.kind == DRILL else None,
        )
        for row in items
    )


def _graph(connection: Connection, slug: str) -> ConceptGraph:
    rows = concept_rows(connection)
    by_id = {row.id: row for row in rows}
    whole = {row.id: by_id.get(row.joined_into_id, row).slug for row in rows}
    place = {row.slug: index for index, row in enumerate(rows)}
    requires: dict[str, set[str]] = {row.slug: set() for row in rows}
    unlocks: dict[str, set[str]] = {row.slug: set() for row in rows}
    edges = connection.execute(
        select(ConceptRequiresRow.concept_id, ConceptRequiresRow.requires_id)
    )
    for concept_id, requires_id in edges:
        one, other = whole.get(concept_id), whole.get(requires_id)
        if one is not None and other is not None and one != other:
            requires[one].add(other)
            unlocks[other].add(one)
    near = _reach(slug, requires) | _reach(slug, unlocks)

    def in_order(edges: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
        kept = {each: [other for other in edges[each] if other in near] for each in near}
        return {each: tuple(sorted(kept[each], key=place.__getitem__)) for each in sorted(near)}

    nodes = {
        row.slug: ConceptNode(row.slug, row.title, row.state) for row in rows if row.slug in near
    }
    return ConceptGraph(nodes, in_order(requires), in_order(unlocks))


def _reach(start: str, edges: Mapping[str, Iterable[str]]) -> set[str]:
    """Everything that can be reached from `start`, and itself."""
    reached, waiting = {start}, [start]
    while waiting:
        found = set(edges[waiting.pop()]) - reached
        reached |= found
        waiting += found
    return reached


def _named(graph: ConceptGraph, slugs: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple((slug, graph.nodes[slug].title) for slug in slugs)
