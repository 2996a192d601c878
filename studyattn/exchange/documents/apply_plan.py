"""Carry a plan out: its rows in a few statements, then what became of the concepts.

The import is alone in writing and numbers its new rows itself, so that ten thousand cards are a
handful of statements.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import Any

from studyattn.exchange.documents.edits import edits_to_json
from studyattn.exchange.documents.plan import (
    ImportPlan,
    PlannedCard,
    PlannedChange,
    PlannedConcept,
    PlannedSource,
)
from studyattn.exchange.memories import LearnedBefore
from studyattn.packs.card_kinds import BASIC
from studyattn.store.database import Connection
from studyattn.store.queries.concept_changes import StateChange, join, record_change, record_changes
from studyattn.store.queries.imports import (
    ImportedRows,
    LastRows,
    concept_ids,
    write_imported,
)
from studyattn.store.queries.review_log import StartColumns, put_memory_starts
from studyattn.store.tags import tags_of

_FIRST_DAY = date(1970, 1, 1).toordinal()
"""The first day a last review may have; a schedule written by hand may give an earlier one."""

AUTHOR = "import"


def write_plan(
    connection: Connection, plan: ImportPlan, at: datetime, accept_joins: Iterable[str]
) -> tuple[str, ...]:
    """Write all of it. `accept_joins` are the slugs of concepts whose proposed join is accepted.

    Returns the guids of the cards that begin with a memory, which has to be worked out yet.
    """
    numbering = _Numbering(plan.last, concept_ids(connection))
    for source in plan.sources:
        if source.change is not PlannedChange.UNCHANGED:
            numbering.add(source, at)
    write_imported(connection, numbering.rows)
    record_changes(connection, numbering.new_states, AUTHOR, at)
    concepts = numbering.concepts
    for moved in numbering.moved:
        record_change(connection, concepts[moved.slug], moved.state, moved.reason, AUTHOR, at)
    accepted = set(accept_joins)
    for proposal in plan.joins:
        if proposal.slug in accepted:
            join(connection, concepts[proposal.slug], concepts[proposal.into], AUTHOR, at)
    put_memory_starts(connection, numbering.starts)
    return tuple(numbering.starts)


@dataclass(slots=True)
class _Numbering:
    """The rows of a plan, numbered on from the last row of each table."""

    last: LastRows
    concepts: dict[str, int]
    """The row of every concept by its slug."""
    rows: ImportedRows = field(default_factory=ImportedRows)
    new_states: list[StateChange] = field(default_factory=list)
    moved: list[PlannedConcept] = field(default_factory=list)
    starts: dict[str, StartColumns] = field(default_factory=dict)
    """The initial memory states of new cards, by guid."""

    def add(self, source: PlannedSource, at: datetime) -> None:
        """Add the rows of one source."""
        row = self._add_source(source, at)
        for concept in source.concepts:
            self._add_concept(concept, row)
        for card in source.cards:
            self._add_card(card, row, at)
        self._add_notes(source, row, at)

    def _add_source(self, source: PlannedSource, at: datetime) -> int:
        columns = {
            "kind": source.kind,
            "title": source.title,
            "path": source.path,
            "text": source.text,
            "digest": source.digest,
            "front_matter": source.front_matter,
            "edits": edits_to_json(source.edits),
            "imported_at": at,
        }
        if source.row is not None:
            self.rows.changed_sources.append({"id": source.row, **columns})
            return source.row
        row = self.last.source + len(self.rows.new_sources) + 1
        self.rows.new_sources.append({"id": row, "guid": source.guid, **columns})
        return row

    def _add_concept(self, concept: PlannedConcept, source: int) -> None:
        text = {"title": concept.title, "body": concept.body}
        if concept.change is PlannedChange.NEW:
            row = self.last.concept + len(self.rows.new_concepts) + 1
            self.concepts[concept.slug] = row
            self.rows.new_concepts.append(
                {
                    "id": row,
                    "slug": concept.slug,
                    **text,
                    "state": "unseen",
                    "source_id": source,
                    "position": row,
                    "core": False,
                    "retired": False,
                }
            )
            self.new_states.append(StateChange(row, concept.state, concept.reason))
        elif concept.change is PlannedChange.EDITED:
            self.rows.changed_concepts.append({"id": concept.row, **text})
            if concept.moves:
                self.moved.append(concept)

    def _add_card(self, card: PlannedCard, source: int, at: datetime) -> None:
        links = [{"text": link.text, "address": link.address} for link in card.links]
        text: dict[str, Any] = {
            "front": card.front,
            "back": card.back,
            "extra": {"links": links} if links else {},
            "digest": card.digest,
        }
        if card.change is PlannedChange.NEW:
            row = self.last.item + len(self.rows.new_items) + 1
            self.rows.new_items.append(
                {
                    "id": row,
                    "guid": card.guid,
                    "kind": "card",
                    "concept_id": self.concepts[card.concept],
                    "source_id": source,
                    "position": row,
                    "created_at": at,
                    "tags": tags_of(card.tags),
                }
            )
            if card.learned is not None:
                self.starts[card.guid] = _start(card.learned, at)
            self.rows.new_cards.append({"item_id": row, "kind": BASIC.name, **text})
        elif card.change is PlannedChange.EDITED and card.keeps_wording:
            self.rows.changed_digests.append({"item_id": card.row, "digest": card.digest})
        elif card.change is PlannedChange.EDITED:
            self.rows.changed_cards.append({"item_id": card.row, **text})

    def _add_notes(self, source: PlannedSource, source_row: int, at: datetime) -> None:
        for note in source.notes:
            text = {"title": note.title, "body": note.body, "updated_at": at}
            if note.change is PlannedChange.NEW:
                row = self.last.note + len(self.rows.new_notes) + 1
                self.rows.new_notes.append(
                    {
                        "id": row,
                        "guid": note.guid,
                        "source_id": source_row,
                        "created_at": at,
                        **text,
                    }
                )
            elif note.change is PlannedChange.EDITED and not note.keeps_wording:
                self.rows.changed_notes.append({"id": note.row, **text})


def _start(learned: LearnedBefore, at: datetime) -> StartColumns:
    """Return where a memory begins: at noon of the last review, which was before the import."""
    last = max(learned.due.toordinal() - round(learned.interval), _FIRST_DAY)
    day = min(date.fromordinal(last), at.astimezone(UTC).date())
    noon = datetime.combine(day, time(12), UTC)
    return StartColumns(min(noon, at), 0, day, learned.interval, learned.ease)
