"""Read everything a learner has out of a database, and write into one what it lacks.

Rows are added and changed, never deleted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar, get_args

from msgspec.structs import asdict, replace
from sqlalchemy import Connection, or_, select

from studyattn.errors import InputError
from studyattn.setting import FITTED_PARAMETERS, STORED_PREFIX
from studyattn.store.models import (
    AttemptRow,
    Base,
    BroughtBackRow,
    CardRow,
    ConceptChangeRow,
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
from studyattn.store.queries.bulk import Columns, insert_rows, last_id, update_rows
from studyattn.store.queries.concept_changes import adopt_changes
from studyattn.store.snapshot import (
    AttemptRecord,
    BroughtBackRecord,
    CardRecord,
    ConceptChangeRecord,
    ConceptRecord,
    ItemRecord,
    NoteRecord,
    PracticeStepRecord,
    RatingName,
    Record,
    ReviewRecord,
    SettingRecord,
    Snapshot,
    SourceRecord,
    WordingRecord,
    present_wordings,
)

AnyRecord = TypeVar("AnyRecord", bound=Record)
Names = dict[int, str]
"""What a row is called everywhere (guid or slug), by its id."""

_RATINGS: Final[tuple[RatingName, ...]] = get_args(RatingName)
"""A rating's place in this tuple is its number in the database less one."""


# -- reading ---------------------------------------------------------------------------------------


def load_snapshot(connection: Connection) -> Snapshot:
    """Return everything the learner has, in order."""
    sources = _names(connection, SourceRow, "guid")
    slugs = _names(connection, ConceptRow, "slug")
    guids = _names(connection, ItemRow, "guid")
    snapshot = Snapshot(
        sources=tuple(_records(connection, SourceRecord, SourceRow)),
        concepts=tuple(_concepts(connection, sources, slugs)),
        changes=tuple(
            ConceptChangeRecord(
                slugs[row.concept_id], row.at, row.from_state, row.to_state, row.reason, row.author
            )
            for row in _rows(connection, ConceptChangeRow)
        ),
        items=tuple(_items(connection, sources, slugs)),
        notes=tuple(
            NoteRecord(
                guid=row.guid,
                title=row.title,
                body=row.body,
                concept=slugs.get(row.concept_id),
                source=sources.get(row.source_id),
                item=guids.get(row.item_id),
                created_at=row.created_at,
                updated_at=row.updated_at,
            )
            for row in _rows(connection, NoteRow)
        ),
        reviews=tuple(_reviews(connection)),
        attempts=tuple(_records(connection, AttemptRecord, AttemptRow)),
        steps=tuple(_records(connection, PracticeStepRecord, PracticeStepRow)),
        brought_back=tuple(_records(connection, BroughtBackRecord, BroughtBackRow)),
        settings=tuple(_settings(connection)),
    )
    # A wording that came back by an undo is in use again, and no earlier one any more.
    earlier = set(_records(connection, WordingRecord, WordingRow)) - present_wordings(snapshot)
    return replace(snapshot, wordings=tuple(earlier)).ordered()


def _names(connection: Connection, table: type[Base], name: str) -> Names:
    """Return the column `name` of every row by the row's id."""
    columns: Any = table
    rows = connection.execute(select(columns.id, getattr(columns, name)))
    return {row[0]: row[1] for row in rows}


def _rows(connection: Connection, table: type[Base]) -> Iterable[Any]:
    return connection.execute(select(table.__table__))


def _records(
    connection: Connection, record: type[AnyRecord], table: type[Base]
) -> Iterator[AnyRecord]:
    """Yield the rows of a table whose columns have the names of the record's fields."""
    columns = [getattr(table, name) for name in record.__struct_fields__]
    for row in connection.execute(select(*columns)):
        yield record(*row)


def _concepts(connection: Connection, sources: Names, slugs: Names) -> Iterator[ConceptRecord]:
    requires: defaultdict[int, list[str]] = defaultdict(list)
    for edge in _rows(connection, ConceptRequiresRow):
        requires[edge.concept_id].append(slugs[edge.requires_id])
    for row in _rows(connection, ConceptRow):
        yield ConceptRecord(
            slug=row.slug,
            title=row.title,
            state=row.state,
            body=row.body,
            pack=row.pack,
            source=sources.get(row.source_id),
            joined_into=slugs.get(row.joined_into_id),
            position=row.position,
            core=row.core,
            retired=row.retired,
            requires=tuple(sorted(requires[row.id])),
        )


def _items(connection: Connection, sources: Names, slugs: Names) -> Iterator[ItemRecord]:
    cards = {
        row.item_id: CardRecord(*(getattr(row, column) for column in CardRecord.__struct_fields__))
        for row in _rows(connection, CardRow)
    }
    rows: Iterable[Any] = connection.execute(
        select(
            ItemRow.id,
            ItemRow.guid,
            ItemRow.kind,
            ItemRow.concept_id,
            ItemRow.source_id,
            ItemRow.pack,
            ItemRow.position,
            ItemRow.created_at,
            ItemRow.suspended,
            ItemRow.marked,
            ItemRow.retired,
            ItemRow.buried_until,
        )
    )
    for row in rows:
        yield ItemRecord(
            guid=row.guid,
            kind=row.kind,
            concept=slugs[row.concept_id],
            source=sources.get(row.source_id),
            pack=row.pack,
            position=row.position,
            created_at=row.created_at,
            suspended=row.suspended,
            marked=row.marked,
            retired=row.retired,
            buried_until=row.buried_until,
            card=cards.get(row.id),
        )


def _reviews(connection: Connection) -> Iterator[ReviewRecord]:
    for row in _rows(connection, ReviewRow):
        yield ReviewRecord(
            uuid=row.uuid,
            item_guid=row.item_guid,
            rating=None if row.rating is None else _RATINGS[row.rating - 1],
            withdraws=row.withdraws,
            at=row.at,
            utc_offset=row.utc_offset,
            learner_day=row.learner_day,
            seconds=row.seconds,
            origin=row.origin,
        )


def _settings(connection: Connection) -> Iterator[SettingRecord]:
    """Yield the learner's rows of the table; the others are the program's own small state."""
    statement = select(SettingRow.key, SettingRow.value).where(
        or_(SettingRow.key.startswith(STORED_PREFIX), SettingRow.key == FITTED_PARAMETERS)
    )
    for key, value in connection.execute(statement):
        yield SettingRecord(key, value)


# -- writing ---------------------------------------------------------------------------------------


def apply_snapshot(
    connection: Connection, before: Snapshot, after: Snapshot, *, origin: str | None = None
) -> None:
    """Write what `after` has and `before`, which is what the database has, lacks.

    New reviews get `origin`, or keep theirs. The memory columns of items are left as they are.
    Raises InputError when a record refers to a concept, source or item that does not exist; the
    caller's transaction then undoes everything.
    """
    writer = _Writer(connection)
    writer.write(SourceRow, "guid", before.sources, after.sources, asdict)
    writer.write(ConceptRow, "slug", before.concepts, after.concepts, writer.concept_columns)
    writer.write_relations(before, after)
    writer.write(ItemRow, "guid", before.items, after.items, writer.item_columns)
    writer.write_cards(before.items, after.items)
    writer.write(NoteRow, "guid", before.notes, after.notes, writer.note_columns)
    writer.write(SettingRow, "key", before.settings, after.settings, asdict)
    present = set(before.wordings)
    wordings = [asdict(each) for each in after.wordings if each not in present]
    insert_rows(connection, WordingRow, wordings)
    reviews = [
        {
            **asdict(review),
            "rating": None if review.rating is None else _RATINGS.index(review.rating) + 1,
            "origin": origin or review.origin,
        }
        for review in _added(before.reviews, after.reviews)
    ]
    insert_rows(connection, ReviewRow, reviews)
    attempts = _added(before.attempts, after.attempts)
    insert_rows(connection, AttemptRow, [asdict(each) for each in attempts])
    steps = _added(before.steps, after.steps)
    insert_rows(connection, PracticeStepRow, [asdict(each) for each in steps])
    writer.write(BroughtBackRow, "uuid", before.brought_back, after.brought_back, asdict)


LogRecord = TypeVar("LogRecord", ReviewRecord, AttemptRecord, PracticeStepRecord)


def _added(before: Iterable[LogRecord], after: Iterable[LogRecord]) -> list[LogRecord]:
    """Return the rows of a log that are new, in the order of `after`."""
    known = {each.uuid for each in before}
    return [each for each in after if each.uuid not in known]


class _Writer:
    """Writes records, and finds the rows that they refer to by name."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ids: dict[type[Base], dict[str, int]] = {
            table: {called: id_ for id_, called in _names(connection, table, name).items()}
            for table, name in ((SourceRow, "guid"), (ConceptRow, "slug"), (ItemRow, "guid"))
        }

    def _id(self, table: type[Base], name: str | None, referrer: str) -> int | None:
        """Return the row called `name`. Raises InputError when there is none."""
        if name is None:
            return None
        try:
            return self._ids[table][name]
        except KeyError:
            raise InputError(
                f"there is no {table.__tablename__} {name!r}, which {referrer} names",
                advice="Nothing was imported",
            ) from None

    def write(
        self,
        table: type[Base],
        key: str,
        before: Sequence[AnyRecord],
        after: Sequence[AnyRecord],
        columns: Callable[[AnyRecord], Columns],
    ) -> None:
        """Add the records that are new and change those that differ; `key` names a record."""
        known = {getattr(each, key): each for each in before}
        new = [each for each in after if getattr(each, key) not in known]
        rows = [columns(each) for each in new]
        if new and "id" in table.__table__.columns:
            for id_, row in enumerate(rows, start=last_id(self._connection, table) + 1):
                row["id"] = id_
                self._ids.setdefault(table, {})[row[key]] = id_
        insert_rows(self._connection, table, rows)
        changed = [each for each in after if known.get(getattr(each, key), each) != each]
        update_rows(self._connection, table, key, [columns(each) for each in changed])

    def concept_columns(self, concept: ConceptRecord) -> Columns:
        """Return the columns that can be written before all concepts have their rows."""
        return {
            "slug": concept.slug,
            "title": concept.title,
            "body": concept.body,
            "pack": concept.pack,
            "source_id": self._id(SourceRow, concept.source, f"concept {concept.slug}"),
            "position": concept.position,
            "core": concept.core,
            "retired": concept.retired,
        }

    def item_columns(self, item: ItemRecord) -> Columns:
        """Return the columns of an item that are no memory."""
        referrer = f"item {item.guid}"
        return {
            "guid": item.guid,
            "kind": item.kind,
            "concept_id": self._id(ConceptRow, item.concept, referrer),
            "source_id": self._id(SourceRow, item.source, referrer),
            "pack": item.pack,
            "position": item.position,
            "created_at": item.created_at,
            "suspended": item.suspended,
            "marked": item.marked,
            "retired": item.retired,
            "buried_until": item.buried_until,
        }

    def note_columns(self, note: NoteRecord) -> Columns:
        """Return the columns of a note."""
        referrer = f"note {note.guid}"
        return {
            "guid": note.guid,
            "title": note.title,
            "body": note.body,
            "concept_id": self._id(ConceptRow, note.concept, referrer),
            "source_id": self._id(SourceRow, note.source, referrer),
            "item_id": self._id(ItemRow, note.item, referrer),
            "created_at": note.created_at,
            "updated_at": note.updated_at,
        }

    def write_relations(self, before: Snapshot, after: Snapshot) -> None:
        """Write how concepts are tied to each other, and how their states came about."""
        known = {each.slug: each for each in before.concepts}
        joins: list[Columns] = []
        edges: list[Columns] = []
        states: dict[int, str] = {}
        for concept in after.concepts:
            earlier = known.get(concept.slug)
            row = self._ids[ConceptRow][concept.slug]
            referrer = f"concept {concept.slug}"
            if concept.joined_into != (earlier.joined_into if earlier else None):
                into = self._id(ConceptRow, concept.joined_into, referrer)
                joins.append({"id": row, "joined_into_id": into})
            edges += [
                {"concept_id": row, "requires_id": self._id(ConceptRow, slug, referrer)}
                for slug in sorted(set(concept.requires) - set(earlier.requires if earlier else ()))
            ]
            if concept.state != (earlier.state if earlier else "unseen"):
                states[row] = concept.state
        update_rows(self._connection, ConceptRow, "id", joins)
        insert_rows(self._connection, ConceptRequiresRow, edges)
        added = Counter(after.changes) - Counter(before.changes)
        adopt_changes(
            self._connection,
            states,
            [
                {
                    "concept_id": self._id(ConceptRow, change.concept, "a change of its state"),
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

    def write_cards(self, before: Sequence[ItemRecord], after: Sequence[ItemRecord]) -> None:
        """Add and change the texts of cards."""
        known = {each.guid: each.card for each in before}
        new: list[Columns] = []
        changed: list[Columns] = []
        for item in after:
            earlier = known.get(item.guid)
            if item.card is not None and item.card != earlier:
                columns = {"item_id": self._ids[ItemRow][item.guid], **asdict(item.card)}
                (new if earlier is None else changed).append(columns)
        insert_rows(self._connection, CardRow, new)
        update_rows(self._connection, CardRow, "item_id", changed)
