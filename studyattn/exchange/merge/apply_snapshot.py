"""Brings the database from what it holds to what it shall hold: the difference, in few statements.

Rows are added and changed, never deleted. Runs inside the caller's transaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from sqlalchemy import Connection, bindparam, func, insert, select, update
from sqlalchemy.orm import DeclarativeBase

from studyattn.errors import InputError
from studyattn.exchange.merge.snapshot import (
    ConceptRecord,
    ItemRecord,
    NoteRecord,
    Snapshot,
    SourceRecord,
)
from studyattn.memory import LoggedReview
from studyattn.store.models import (
    AttemptRow,
    BroughtBackRow,
    CardRow,
    ConceptRequiresRow,
    ConceptRow,
    ItemRow,
    NoteRow,
    PracticeStepRow,
    ReviewRow,
    SettingRow,
    SourceRow,
    WordingRow,
)
from studyattn.store.queries.concepts import adopt_changes

Thing = TypeVar("Thing")
Values = dict[str, Any]


def apply_snapshot(
    connection: Connection, before: Snapshot, after: Snapshot, *, origin: str | None = None
) -> None:
    """Write what `after` has and `before`, which the database holds, has not.

    New reviews get `origin`, or keep theirs. Memory columns are the caller's to refold. Raises
    InputError when something names a concept, source or item that there is not; the caller's
    transaction then undoes all of it.
    """
    rows = _Rows(connection)
    rows.write(SourceRow, before.sources, after.sources, _name("guid"), _source_values)
    _write_concepts(rows, before, after)
    rows.write(ItemRow, before.items, after.items, _name("guid"), rows.item_values)
    _write_cards(rows, before.items, after.items)
    rows.write(NoteRow, before.notes, after.notes, _name("guid"), rows.note_values)
    rows.write(SettingRow, before.settings, after.settings, _name("key"), _plain_values)
    _append(connection, WordingRow, _added(before.wordings, after.wordings), _plain_values)
    _append(
        connection,
        ReviewRow,
        _added(before.reviews, after.reviews, lambda each: each.uuid),
        lambda review: _review_values(review, origin),
    )
    attempts = _added(before.attempts, after.attempts, lambda each: each.uuid)
    _append(connection, AttemptRow, attempts, _plain_values)
    steps = _added(before.steps, after.steps, lambda each: each.uuid)
    _append(connection, PracticeStepRow, steps, _plain_values)
    brought = before.brought_back, after.brought_back
    rows.write(BroughtBackRow, *brought, _name("uuid"), _plain_values)


def _name(field: str) -> Callable[[Any], Any]:
    return lambda thing: getattr(thing, field)


class _Rows:
    """Row numbers by the names that things have everywhere."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ids: dict[type[DeclarativeBase], dict[str, int]] = {}
        for table, name in (
            (SourceRow, SourceRow.guid),
            (ConceptRow, ConceptRow.slug),
            (ItemRow, ItemRow.guid),
        ):
            found: Iterable[Any] = connection.execute(select(name, table.id))
            self._ids[table] = {row[0]: row[1] for row in found}

    def of(self, table: type[DeclarativeBase], name: str | None, wanted_by: str) -> int | None:
        """The row called `name`. Raises InputError when there is none."""
        if name is None:
            return None
        try:
            return self._ids[table][name]
        except KeyError:
            raise InputError(
                f"there is no {table.__name__.lower()} {name!r}, which {wanted_by} names",
                advice="Nothing was imported",
            ) from None

    def write(
        self,
        table: type[DeclarativeBase],
        before: Sequence[Thing],
        after: Sequence[Thing],
        name: Callable[[Thing], str],
        values: Callable[[Thing], Values],
    ) -> None:
        """Insert the things that are new and update those that differ."""
        known = {name(each): each for each in before}
        new = [each for each in after if name(each) not in known]
        changed = [each for each in after if name(each) in known and known[name(each)] != each]
        primary = table.__mapper__.primary_key[0]
        numbered = primary.name == "id"
        if new and numbered:
            last = self._connection.execute(
                select(func.coalesce(func.max(primary), 0))
            ).scalar_one()
            numbers = {name(each): last + count for count, each in enumerate(new, start=1)}
            self._ids.setdefault(table, {}).update(numbers)
            rows = [{"id": numbers[name(each)], **values(each)} for each in new]
            self._connection.execute(insert(table), rows)
        elif new:
            self._connection.execute(insert(table), [values(each) for each in new])
        if changed:
            key = next(each for each in ("guid", "slug", "uuid", "key") if hasattr(table, each))
            self._change(table, key, [values(each) for each in changed])

    def _change(self, table: type[DeclarativeBase], key: str, rows: list[Values]) -> None:
        names = [column for column in rows[0] if column != key]
        columns: Values = {column: bindparam(f"new_{column}") for column in names}
        statement = update(table).where(getattr(table, key) == bindparam("named")).values(columns)
        parameters = [
            {"named": row[key], **{f"new_{column}": row[column] for column in names}}
            for row in rows
        ]
        self._connection.execute(statement, parameters)

    def concept_values(self, concept: ConceptRecord) -> Values:
        """The columns that can be written before all concepts have their rows."""
        return {
            "slug": concept.slug,
            "title": concept.title,
            "body": concept.body,
            "pack": concept.pack,
            "source_id": self.of(SourceRow, concept.source, f"concept {concept.slug}"),
            "position": concept.position,
            "core": concept.core,
            "retired": concept.retired,
        }

    def item_values(self, item: ItemRecord) -> Values:
        return {
            "guid": item.guid,
            "kind": item.kind,
            "concept_id": self.of(ConceptRow, item.concept, f"item {item.guid}"),
            "source_id": self.of(SourceRow, item.source, f"item {item.guid}"),
            "pack": item.pack,
            "position": item.position,
            "created_at": item.created_at,
            "suspended": item.suspended,
            "marked": item.marked,
            "retired": item.retired,
            "buried_until": item.buried_until,
        }

    def note_values(self, note: NoteRecord) -> Values:
        named = f"note {note.guid}"
        return {
            "guid": note.guid,
            "title": note.title,
            "body": note.body,
            "concept_id": self.of(ConceptRow, note.concept, named),
            "source_id": self.of(SourceRow, note.source, named),
            "item_id": self.of(ItemRow, note.item, named),
            "created_at": note.created_at,
            "updated_at": note.updated_at,
        }

    @property
    def connection(self) -> Connection:
        return self._connection


def _write_concepts(rows: _Rows, before: Snapshot, after: Snapshot) -> None:
    """The concepts themselves, then what ties them together, then how their states came about."""
    rows.write(ConceptRow, before.concepts, after.concepts, _name("slug"), rows.concept_values)
    known = {each.slug: each for each in before.concepts}
    connection = rows.connection
    for concept in after.concepts:
        earlier = known.get(concept.slug)
        row = rows.of(ConceptRow, concept.slug, "")
        named = f"concept {concept.slug}"
        if concept.joined_into != (earlier.joined_into if earlier else None):
            into = rows.of(ConceptRow, concept.joined_into, named)
            connection.execute(
                update(ConceptRow).where(ConceptRow.id == row).values(joined_into_id=into)
            )
        for slug in sorted(set(concept.requires) - set(earlier.requires if earlier else ())):
            requires = rows.of(ConceptRow, slug, named)
            connection.execute(
                insert(ConceptRequiresRow).values(concept_id=row, requires_id=requires)
            )
    states = {
        each.slug: each.state
        for each in after.concepts
        if each.state != (known[each.slug].state if each.slug in known else "unseen")
    }
    added = Counter(after.changes) - Counter(before.changes)
    adopt_changes(
        connection,
        {rows.of(ConceptRow, slug, "") or 0: state for slug, state in states.items()},
        [
            {
                "concept_id": rows.of(ConceptRow, change.concept, "a change of its state"),
                "at": change.at,
                "from_state": change.from_state,
                "to_state": change.to_state,
                "reason": change.reason,
                "author": change.author,
            }
            for change in after.changes
            for _ in range(added.pop(change, 0))
        ],
    )


def _write_cards(rows: _Rows, before: Sequence[ItemRecord], after: Sequence[ItemRecord]) -> None:
    known = {each.guid: each.card for each in before}
    new: list[Values] = []
    changed: list[Values] = []
    for item in after:
        if item.card is None or known.get(item.guid) == item.card:
            continue
        values = {"item_id": rows.of(ItemRow, item.guid, ""), **_plain_values(item.card)}
        (new if known.get(item.guid) is None else changed).append(values)
    if new:
        rows.connection.execute(insert(CardRow), new)
    for values in changed:
        statement = update(CardRow).where(CardRow.item_id == values["item_id"]).values(values)
        rows.connection.execute(statement)


def _plain_values(thing: Any) -> Values:
    """The fields of something whose columns are called the same."""
    return {field.name: getattr(thing, field.name) for field in fields(thing)}


def _source_values(source: SourceRecord) -> Values:
    return _plain_values(source)


def _review_values(review: LoggedReview, origin: str | None) -> Values:
    values = _plain_values(review)
    rating = values["rating"]
    return {
        **values,
        "rating": None if rating is None else int(rating),
        "origin": origin or review.origin,
    }


def _added(
    before: Iterable[Thing], after: Iterable[Thing], name: Callable[[Thing], Any] | None = None
) -> list[Thing]:
    """What is new, in the order of `after`."""
    if name is None:
        there: set[Any] = set(before)
        return [each for each in after if each not in there]
    names = {name(each) for each in before}
    return [each for each in after if name(each) not in names]


def _append(
    connection: Connection,
    table: type[DeclarativeBase],
    things: Sequence[Thing],
    values: Callable[[Thing], Mapping[str, Any]],
) -> None:
    if things:
        connection.execute(insert(table), [dict(values(each)) for each in things])
