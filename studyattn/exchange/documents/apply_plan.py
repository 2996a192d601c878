"""Carrying a plan out: statements for many rows at a time, inside the caller's one transaction.

Row numbers are given here, since the transaction is alone in writing: so ten thousand cards are a
handful of statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, insert, select, update

from studyattn.exchange.documents.existing_rows import read_basis
from studyattn.exchange.documents.plan import (
    ImportPlan,
    PlannedCard,
    PlannedChange,
    PlannedConcept,
    PlannedNote,
    PlannedSource,
)
from studyattn.store.models import CardRow, ConceptRow, ItemRow, NoteRow, SourceRow
from studyattn.store.queries.concepts import StateChange, join, record_change, record_changes

AUTHOR = "import"

Rows = list[dict[str, Any]]


def write_plan(
    connection: Connection, plan: ImportPlan, at: datetime, accept_joins: Iterable[str]
) -> None:
    """Write all of it. `accept_joins` are the slugs of concepts whose proposed join is accepted."""
    moment = read_basis(connection)
    sources = [each for each in plan.sources if each.change is not PlannedChange.UNCHANGED]
    rows = _write_sources(connection, sources, moment.source, at)
    concepts = _write_concepts(connection, sources, rows, moment.concept, at)
    _write_cards(connection, sources, (rows, concepts), moment.item, at)
    _write_notes(connection, sources, rows, moment.note, at)
    accepted = set(accept_joins)
    for proposal in plan.joins:
        if proposal.slug in accepted:
            join(connection, concepts[proposal.slug], concepts[proposal.into], AUTHOR, at)


def _write_sources(
    connection: Connection, sources: Sequence[PlannedSource], last: int, at: datetime
) -> dict[str, int]:
    """The row of each source, by its guid."""
    rows: dict[str, int] = {}
    new: Rows = []
    changed: Rows = []
    for source in sources:
        values = {
            "kind": source.kind,
            "title": source.title,
            "path": source.path,
            "text": source.text,
            "digest": source.digest,
            "front_matter": source.front_matter,
            "imported_at": at,
        }
        if source.row is None:
            last += 1
            rows[source.guid] = last
            new.append({"id": last, "guid": source.guid, **values})
        else:
            rows[source.guid] = source.row
            changed.append({"row": source.row, **values})
    _insert(connection, SourceRow, new)
    _update(connection, SourceRow, changed)
    return rows


def _write_concepts(
    connection: Connection,
    sources: Sequence[PlannedSource],
    source_rows: Mapping[str, int],
    last: int,
    at: datetime,
) -> dict[str, int]:
    """The row of every concept there is now, by its slug."""
    there = connection.execute(select(ConceptRow.slug, ConceptRow.id))
    rows: dict[str, int] = {row.slug: row.id for row in there}
    new: Rows = []
    changed: Rows = []
    born: list[StateChange] = []
    moved: list[PlannedConcept] = []
    for source in sources:
        for concept in source.concepts:
            if concept.change is PlannedChange.NEW:
                last += 1
                rows[concept.slug] = last
                new.append(_concept_values(concept, last, source_rows[source.guid]))
                born.append(StateChange(last, concept.state, concept.reason))
            elif concept.change is PlannedChange.EDITED:
                changed.append({"row": concept.row, "title": concept.title, "body": concept.body})
                moved.extend([concept] if concept.moves else [])
    _insert(connection, ConceptRow, new)
    record_changes(connection, born, AUTHOR, at)
    _update(connection, ConceptRow, changed)
    for concept in moved:
        record_change(connection, rows[concept.slug], concept.state, concept.reason, AUTHOR, at)
    return rows


def _concept_values(concept: PlannedConcept, row: int, source: int) -> dict[str, Any]:
    return {
        "id": row,
        "slug": concept.slug,
        "title": concept.title,
        "body": concept.body,
        "state": "unseen",
        "source_id": source,
        "position": row,
        "core": False,
        "retired": False,
    }


def _write_cards(
    connection: Connection,
    sources: Sequence[PlannedSource],
    places: tuple[Mapping[str, int], Mapping[str, int]],
    last: int,
    at: datetime,
) -> None:
    """`places` are the rows of the sources by their guid and of the concepts by their slug."""
    source_rows, concepts = places
    items: Rows = []
    cards: Rows = []
    changed: Rows = []
    digests: Rows = []
    for source in sources:
        for card in source.cards:
            if card.change is PlannedChange.NEW:
                last += 1
                items.append(
                    {
                        "id": last,
                        "guid": card.guid,
                        "kind": "card",
                        "concept_id": concepts[card.concept],
                        "source_id": source_rows[source.guid],
                        "position": last,
                        "created_at": at,
                    }
                )
                cards.append({"item_id": last, "kind": "basic", **_card_values(card)})
            elif card.change is PlannedChange.EDITED and card.keeps_wording:
                digests.append({"row": card.row, "digest": card.digest})
            elif card.change is PlannedChange.EDITED:
                changed.append({"row": card.row, **_card_values(card)})
    _insert(connection, ItemRow, items)
    _insert(connection, CardRow, cards)
    _update(connection, CardRow, changed, CardRow.edited_at.is_(None))
    _update(connection, CardRow, digests)


def _card_values(card: PlannedCard) -> dict[str, Any]:
    links = [{"text": link.text, "address": link.address} for link in card.links]
    return {
        "front": card.front,
        "back": card.back,
        "extra": {"links": links} if links else {},
        "digest": card.digest,
    }


def _write_notes(
    connection: Connection,
    sources: Sequence[PlannedSource],
    source_rows: Mapping[str, int],
    last: int,
    at: datetime,
) -> None:
    new: Rows = []
    changed: Rows = []
    for source in sources:
        for note in source.notes:
            if note.change is PlannedChange.NEW:
                last += 1
                new.append(_note_values(note, last, source_rows[source.guid], at))
            elif note.change is PlannedChange.EDITED and not note.keeps_wording:
                changed.append(
                    {"row": note.row, "title": note.title, "body": note.body, "updated_at": at}
                )
    _insert(connection, NoteRow, new)
    _update(connection, NoteRow, changed)


def _note_values(note: PlannedNote, row: int, source: int, at: datetime) -> dict[str, Any]:
    return {
        "id": row,
        "guid": note.guid,
        "source_id": source,
        "title": note.title,
        "body": note.body,
        "created_at": at,
        "updated_at": at,
    }


_Table = type[SourceRow] | type[ConceptRow] | type[ItemRow] | type[CardRow] | type[NoteRow]


def _insert(connection: Connection, table: _Table, rows: Rows) -> None:
    if rows:
        connection.execute(insert(table), rows)


def _update(
    connection: Connection, table: _Table, rows: Rows, *conditions: ColumnElement[bool]
) -> None:
    """Every row has the same columns, and the number of its row as `row`."""
    if rows:
        key = table.__mapper__.primary_key[0]
        columns: dict[str, Any] = {name: bindparam(name) for name in rows[0] if name != "row"}
        statement = update(table).where(key == bindparam("row"), *conditions).values(columns)
        connection.execute(statement, rows)
