"""Carry a plan out: its rows in a few statements, then what became of the concepts.

The import is alone in writing and numbers its new rows itself, so that ten thousand cards are a
handful of statements.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping
from datetime import UTC, date, datetime, time

from studyattn.exchange.documents.plan import ImportPlan, PlannedChange, PlannedSource
from studyattn.exchange.memories import LearnedBefore
from studyattn.packs.card_kinds import BASIC
from studyattn.store.database import Connection
from studyattn.store.queries.bulk import Columns
from studyattn.store.queries.concept_changes import StateChange, join, record_change, record_changes
from studyattn.store.queries.imports import concept_ids, write_imported
from studyattn.store.queries.review_log import StartColumns, put_memory_starts
from studyattn.store.tags import tags_of

_FIRST_DAY = date(1970, 1, 1).toordinal()
"""The first day a last review may have; a schedule written by hand may give an earlier one."""

AUTHOR = "import"
_WRITTEN = (PlannedChange.NEW, PlannedChange.EDITED)


def write_plan(
    connection: Connection, plan: ImportPlan, at: datetime, accept_joins: Container[str]
) -> tuple[str, ...]:
    """Write all of it. `accept_joins` are the slugs of concepts whose proposed join is accepted.

    Returns the guids of the cards that begin with a memory, which has to be worked out yet.
    """
    concepts = concept_ids(connection)
    rows = _Rows(plan.last)
    for source in plan.sources:
        if source.change is not PlannedChange.UNCHANGED:
            _add(source, rows, concepts, at)
    write_imported(connection, rows.added, rows.changed)
    planned = [(concepts[each.slug], each) for source in plan.sources for each in source.concepts]
    record_changes(
        connection,
        [
            StateChange(row, each.state, each.reason)
            for row, each in planned
            if each.change is PlannedChange.NEW
        ],
        AUTHOR,
        at,
    )
    for row, each in planned:
        if each.moves:
            record_change(connection, row, each.state, each.reason, AUTHOR, at)
    for slug, each in plan.joins.items():
        if slug in accept_joins:
            join(connection, concepts[slug], concepts[each.into], AUTHOR, at)
    starts = {
        card.guid: _start(card.learned, at)
        for source in plan.sources
        for card in source.cards
        if card.learned is not None
    }
    put_memory_starts(connection, starts)
    return tuple(starts)


class _Rows:
    """The rows of a plan by table, numbered on from the last row of each."""

    def __init__(self, last: Mapping[str, int]) -> None:
        self._last = last
        self.added: defaultdict[str, list[Columns]] = defaultdict(list)
        self.changed: defaultdict[str, list[Columns]] = defaultdict(list)

    def put(self, table: str, row: int | None, always: Columns, new: Columns) -> int:
        """Change a row, or add one, which has the columns `new`, too; return its number.

        A new row comes last in its table, if that has an order.
        """
        if row is not None:
            self.changed[table].append({"id": row, **always})
            return row
        row = self._last[table] + len(self.added[table]) + 1
        self.added[table].append({"id": row, "position": row, **always, **new})
        return row


def _add(source: PlannedSource, rows: _Rows, concepts: dict[str, int], at: datetime) -> None:
    """Add the rows of one source; `concepts` are the rows of all concepts by slug."""
    names = ("kind", "title", "path", "text", "digest", "front_matter", "edits")
    columns = {**{name: getattr(source, name) for name in names}, "imported_at": at}
    source_row = rows.put("source", source.row, columns, {"guid": source.guid})
    text: Columns
    for concept in source.concepts:
        if concept.change in _WRITTEN:
            text = {"title": concept.title, "body": concept.body}
            new = {"slug": concept.slug, "source_id": source_row}
            concepts[concept.slug] = rows.put("concept", concept.row, text, new)
    for card in source.cards:
        if card.change not in _WRITTEN:
            continue
        links = [{"text": link.text, "address": link.address} for link in card.links]
        text = {
            "front": card.front,
            "back": card.back,
            "extra": {"links": links} if links else {},
            "digest": card.digest,
        }
        if card.row is not None:
            rows.changed["card"].append({"item_id": card.row, **text})
            continue
        item = {
            "guid": card.guid,
            "kind": "card",
            "concept_id": concepts[card.concept],
            "source_id": source_row,
            "created_at": at,
            "tags": tags_of(card.tags),
        }
        row = rows.put("item", None, {}, item)
        rows.added["card"].append({"item_id": row, "kind": BASIC.name, **text})
    for note in source.notes:
        if note.change in _WRITTEN and not note.keeps_wording:
            text = {"title": note.title, "body": note.body, "updated_at": at}
            new = {"guid": note.guid, "source_id": source_row, "created_at": at}
            rows.put("note", note.row, text, new)


def _start(learned: LearnedBefore, at: datetime) -> StartColumns:
    """Return where a memory begins: at noon of the last review, which was before the import."""
    last = max(learned.due.toordinal() - round(learned.interval), _FIRST_DAY)
    day = min(date.fromordinal(last), at.astimezone(UTC).date())
    noon = datetime.combine(day, time(12), UTC)
    return StartColumns(min(noon, at), 0, day, learned.interval, learned.ease)
