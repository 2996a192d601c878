"""Read everything a learner has out of a database, and write into one what it lacks.

Rows are added and changed. Deleted are notes and settings alone, where the learner removed them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar, get_args

from msgspec.structs import asdict, replace

from studyattn.errors import InputError
from studyattn.grouping import grouped
from studyattn.setting import FITTED_PARAMETERS, STORED_PREFIX
from studyattn.store.columns import tables
from studyattn.store.log_values import LogRow, read_stored_instant, stored_uuid
from studyattn.store.queries.bulk import (
    Columns,
    insert_columns,
    insert_rows,
    last_id,
    update_rows,
)
from studyattn.store.queries.concept_changes import adopt_changes
from studyattn.store.queries.decisions import adopt_decisions, load_decisions
from studyattn.store.queries.items import FirstMemory, MemoryColumns
from studyattn.store.queries.review_log import ReviewColumns, append_rows
from studyattn.store.queries.review_log import as_stored as row_as_stored
from studyattn.store.queries.rules import of_items
from studyattn.store.snapshot import (
    LISTS,
    CardRecord,
    ItemRecord,
    RatingName,
    Record,
    ReviewRecord,
    SettingRecord,
    Snapshot,
    present_wordings,
)
from studyattn.store.sql import Connection, as_stored, do_many, driver_of, rows
from studyattn.store.vocabulary import UNSEEN

AnyRecord = TypeVar("AnyRecord", bound=Record)

_NAMES: Final[Mapping[str, str]] = {"source": "guid", "concept": "slug", "item": "guid"}
"""The column by which records name a row of these tables."""

_REFERENCES: Final[Mapping[str, str]] = {
    "source": "source",
    "concept": "concept",
    "joined_into": "concept",
    "item": "item",
}
"""The fields that name a row of another table; `FIELD_id` is the column with its number."""

_WRITTEN_LATER: Final = frozenset({"state", "joined_into", "requires", "card"})
"""The fields that are written when every row of their own table is there."""

_RATINGS: Final[tuple[RatingName, ...]] = get_args(RatingName)
_NUMBERS: Final[Mapping[RatingName | None, int | None]] = {
    None: None,
    **{name: number for number, name in enumerate(_RATINGS, start=1)},
}
"""Ratings' numbers in the database."""


# -- reading ---------------------------------------------------------------------------------------


class Some(NamedTuple):
    """A condition on the rows of a table, in which `:names` are names of them."""

    condition: str
    names: Collection[str] = ()


Only = Mapping[str, Some]
"""Tables, and the condition on their rows that are read."""

WITHOUT_REVIEWS: Final[Only] = {"review": Some("FALSE")}
WITHOUT_ANKIS_REVIEWS: Final[Only] = {
    "review": Some(
        "item_guid NOT IN (SELECT logged.item_guid FROM (SELECT item_guid, count(*) AS rows"
        " FROM review GROUP BY item_guid) AS logged JOIN anki_card"
        " ON anki_card.item_guid = logged.item_guid WHERE answers = logged.rows)"
    )
}
"""Of an item of Anki's that has reviews of its own all rows, of any other none."""


def load_beside(connection: Connection, theirs: Snapshot) -> Snapshot:
    """Return what merging `theirs` has to know: of what is many, the records that it names.

    Of an item with reviews in `theirs` that is its whole log.
    """
    decided: defaultdict[str, set[str]] = defaultdict(set)
    for each in theirs.decisions:
        decided[each.kind].add(each.name)

    def named(records: Iterable[Any], name: str) -> set[str]:
        return {getattr(record, name) for record in records}

    def asked(name: str, key: str, *others: set[str]) -> Some:
        """Return the condition for the rows that records of theirs name, or others."""
        names = named(getattr(theirs, name), key).union(*others)
        return Some(f"{key} IN @texts(:names)", names)

    items, notes = asked("items", "guid", decided["item"]), asked("notes", "guid", decided["note"])
    only = {
        "item": items,
        "note": notes,
        "brought_back": asked("brought_back", "uuid", decided["brought-back"]),
        "wording": asked("wordings", "guid", {*items.names}, {*notes.names}),
        "attempt": asked("attempts", "uuid"),
        "practice_step": asked("steps", "uuid"),
        "review": Some(of_items(":names"), named(theirs.reviews, "item_guid")),
        "anki_note": asked("anki_notes", "guid"),
        "anki_card": asked("anki_cards", "item_guid"),
    }
    found = load_snapshot(connection, only)
    known = {each.uuid for each in found.reviews}
    names = [stored_uuid(u.uuid).hex() for u in theirs.reviews if u.uuid not in known]
    reader = _RecordReader(connection, {"review": Some("uuid IN @uuids(:names)", names)})
    others = list(reader.read(ReviewRecord, "review"))
    return replace(found, reviews=(*found.reviews, *others)).ordered() if others else found


def load_snapshot(connection: Connection, only: Only | None = None) -> Snapshot:
    """Return everything the learner has, in order; of the tables of `only` those rows alone."""
    reader = _RecordReader(connection, only or {})
    made = {"settings": _settings(connection), "decisions": load_decisions(connection)}
    lists: dict[str, Any] = {
        name: tuple(made[name] if name in made else reader.read(of.record, of.table))
        for name, of in LISTS.items()
    }
    snapshot = Snapshot(**lists)
    # A wording that came back by an undo is in use again, and no earlier one any more.
    earlier = set(snapshot.wordings) - present_wordings(snapshot)
    return replace(snapshot, wordings=tuple(earlier)).ordered()


class _RecordReader:
    """Reads records, whose fields are columns of the same name, but for those in `_made`."""

    def __init__(self, connection: Connection, only: Only) -> None:
        self._connection = connection
        self._only = only
        self._names: dict[str, dict[Any, str | None]] = {}
        # A field → the column that it is made from, and what gives the function that makes it.
        self._made: dict[str, tuple[str, Callable[[], Callable[[Any], object]]]] = {
            "requires": ("id", self._requires),
            "card": ("id", self._cards),
            "rating": ("rating", lambda: {number: name for name, number in _NUMBERS.items()}.get),
        }
        for field, table in _REFERENCES.items():
            self._made[field] = (f"{field}_id", partial(self._name_of, table))

    def read(self, record: type[AnyRecord], table: str, order: str = "") -> Iterator[AnyRecord]:
        """Yield a record for each row of a table, without holding all of them."""
        names: list[str] = []
        readers: list[tuple[int, Callable[[Any], object]]] = []
        for place, field in enumerate(record.__struct_fields__):
            name, make = self._made.get(field, (field, None))
            read = tables()[table][name].handled.read if make is None else make()
            names.append(name)
            if read is not None:
                readers.append((place, read))
        condition, given = self._only.get(table, Some("TRUE"))
        key = ", ".join(each.name for each in tables()[table].values() if each.is_key)
        statement = (
            f"SELECT {', '.join(names)} FROM {table}"  # noqa: S608 - names of our tables
            f" WHERE {condition} ORDER BY {order or key}"
        )
        found = driver_of(self._connection).stream(statement, as_stored({"names": set(given)}))
        for row in found:
            values = list(row)
            for place, read in readers:
                values[place] = read(values[place])
            yield record(*values)

    def _name_of(self, table: str) -> Callable[[Any], object]:
        if table not in self._names:
            self._names[table] = {None: None, **_read_names(self._connection, table)}
        return self._names[table].__getitem__

    def _requires(self) -> Callable[[Any], object]:
        name_of = self._name_of("concept")
        edges = "SELECT concept_id, requires_id FROM concept_requires"
        found = rows(self._connection, tuple[int, int], edges)
        requires: Mapping[int, list[Any]] = grouped(
            (concept, name_of(required)) for concept, required in found
        )
        return lambda number: tuple(sorted(requires[number]))

    def _cards(self) -> Callable[[Any], object]:
        columns = ", ".join(CardRecord.__struct_fields__)
        condition, given = self._only.get("item", Some("TRUE"))
        statement = (
            f"SELECT item_id, {columns} FROM card"  # noqa: S608 - names of our tables
            f" WHERE item_id IN (SELECT id FROM item WHERE {condition})"
        )

        @cache  # read for the first item: a package of new cards has none here
        def found() -> dict[int, CardRecord]:
            of_items = rows(self._connection, tuple[int, CardRecord], statement, names=set(given))
            return dict(of_items)

        return lambda number: found().get(number)


def _read_names(connection: Connection, table: str) -> dict[int, str]:
    """Return the names of a table's rows by their numbers."""
    statement = f"SELECT id, {_NAMES[table]} FROM {table}"  # noqa: S608 - ours
    return dict(rows(connection, tuple[int, str], statement))


def _settings(connection: Connection) -> list[SettingRecord]:
    """Return the learner's rows of the table; the others are the program's own small state."""
    return rows(
        connection,
        SettingRecord,
        "SELECT key, value FROM setting WHERE key LIKE :stored OR key = :fitted",
        stored=f"{STORED_PREFIX}%",
        fitted=FITTED_PARAMETERS,
    )


# -- writing ---------------------------------------------------------------------------------------


def reviews_by_time(connection: Connection, condition: str = "TRUE") -> Iterator[ReviewRecord]:
    """Yield the rows of the log in the order of a snapshot, without holding all of them."""
    reader = _RecordReader(connection, {"review": Some(condition)})
    return reader.read(ReviewRecord, "review", "at, uuid")


def log_row(review: ReviewRecord) -> LogRow:
    """Return a review as a row of the log."""
    return row_as_stored(
        ReviewColumns(
            *(review.uuid, review.item_guid, _NUMBERS[review.rating], review.withdraws, review.at),
            *(review.utc_offset, review.learner_day, review.seconds, review.origin),
        )
    )


def apply_snapshot(
    connection: Connection,
    before: Snapshot,
    after: Snapshot,
    memory: Mapping[str, FirstMemory] = MappingProxyType({}),
) -> None:
    """Write what `after` has and `before`, which is what the database has, lacks.

    Notes and settings that `after` has not are removed. New items get the `memory` given for them;
    the memory columns of others are left as they are. Raises InputError when a record refers to a
    concept, source or item that does not exist; the caller's transaction then undoes everything.
    """
    writer = _RecordWriter(connection, memory)
    for name in LISTS:
        old, new = getattr(before, name), getattr(after, name)
        if name == "changes":
            writer.write_relations(before, after)
        elif name == "decisions":
            adopt_decisions(connection, old, new)
        else:
            _write_list(connection, writer, name, old, new)
        if name == "items":
            writer.write_cards(old, new)


def _write_list(
    connection: Connection, writer: _RecordWriter, name: str, old: Any, new: Any
) -> None:
    """Write what is new of one list, and what differs or is gone where its rows can change."""
    _, table, key, _ = LISTS[name]
    if name == "reviews":
        append_rows(connection, map(log_row, _added(old, new)))
    elif name in {"attempts", "steps"}:
        writer.insert(table, _added(old, new))
    elif name == "wordings":
        present = set(old)
        writer.insert(table, [each for each in new if each not in present])
    else:
        writer.write(table, key or "uuid", old, new)
    if name in {"notes", "settings"}:
        _delete_missing(connection, table, key, old, new)


def _delete_missing(
    connection: Connection,
    table: str,
    key: str,
    before: Iterable[Record],
    after: Iterable[Record],
) -> None:
    """Delete the rows of records that are gone; `key` names a record."""
    there = {getattr(each, key) for each in after}
    gone = [name for each in before if (name := getattr(each, key)) not in there]
    statement = f"DELETE FROM {table} WHERE {key} = :gone"  # noqa: S608 - ours
    do_many(connection, statement, ({"gone": name} for name in gone))


def _added(before: Iterable[Any], after: Iterable[Any]) -> list[Any]:
    """Return the rows of a log that are new, in the order of `after`."""
    known = {each.uuid for each in before}
    return [each for each in after if each.uuid not in known]


class _RecordWriter:
    """Writes records, and finds the rows that they refer to by name."""

    def __init__(self, connection: Connection, memory: Mapping[str, FirstMemory]) -> None:
        self._connection = connection
        self._memory = memory
        self._ids: dict[str, dict[str, int]] = {
            table: {name: number for number, name in _read_names(connection, table).items()}
            for table in _NAMES
        }

    def _id(self, table: str, name: str | None, record: Record) -> int | None:
        """Return the row called `name`, which `record` names. Raises InputError for none."""
        if name is None:
            return None
        try:
            return self._ids[table][name]
        except KeyError:
            called = getattr(record, "slug", None) or getattr(record, "guid", None)
            referrer = (
                "a change of its state"
                if called is None
                else f"{record.__struct_config__.tag} {called}"
            )
            raise InputError(
                f"there is no {table} {name!r}, which {referrer} names",
                advice="Nothing was imported",
            ) from None

    def write(
        self,
        table: str,
        key: str,
        before: Sequence[AnyRecord],
        after: Sequence[AnyRecord],
    ) -> None:
        """Add the records that are new and change those that differ; `key` names a record."""
        known = {getattr(each, key): each for each in before}
        new = [each for each in after if getattr(each, key) not in known]
        self.insert(table, new, key)
        changed = [each for each in after if known.get(getattr(each, key), each) != each]
        update_rows(self._connection, table, key, _rows_of(self._columns(changed)))

    def insert(self, table: str, records: Sequence[Record], key: str = "") -> None:
        """Add a row for each record; other records may refer to them by `key`."""
        columns = self._columns(records)
        if records and key and "id" in tables()[table]:
            first = last_id(self._connection, table) + 1
            columns["id"] = range(first, first + len(records))
            names = self._ids.setdefault(table, {})
            names.update(zip(columns[key], columns["id"], strict=True))
        if table == "item" and self._memory:
            columns |= self._memories(columns["guid"])
        if records:
            insert_columns(self._connection, table, columns)

    def _memories(self, guids: Iterable[str]) -> dict[str, Sequence[Any]]:
        """Return the columns with the memories of new items."""
        known = [self._memory.get(guid, FirstMemory()) for guid in guids]
        memories = zip(*(each.columns for each in known), strict=True)
        times = (each.forgotten_at for each in known)
        return {
            **dict(zip(MemoryColumns._fields, memories, strict=True)),
            "forgotten_at": [at and read_stored_instant(at) for at in times],
        }

    def _columns(self, records: Sequence[Record]) -> dict[str, Sequence[Any]]:
        """Return the columns of records, all of one type, that can be written at once."""
        columns: dict[str, Sequence[Any]] = {}
        for field in records[0].__struct_fields__ if records else ():
            values = [*map(attrgetter(field), records)]
            if field in _REFERENCES:
                table = _REFERENCES[field]
                if field not in _WRITTEN_LATER:
                    named = zip(values, records, strict=True)
                    columns[f"{field}_id"] = [self._id(table, name, each) for name, each in named]
            elif field not in _WRITTEN_LATER:
                columns[field] = values
        return columns

    def write_relations(self, before: Snapshot, after: Snapshot) -> None:
        """Write how concepts are tied to each other, and how their states came about."""
        known = {each.slug: each for each in before.concepts}
        joins: list[Columns] = []
        edges: list[Columns] = []
        states: dict[int, str] = {}
        for concept in after.concepts:
            new = replace(concept, joined_into=None, requires=(), state=UNSEEN)
            earlier = known.get(concept.slug, new)
            row = self._ids["concept"][concept.slug]
            if concept.joined_into != earlier.joined_into:
                into = self._id("concept", concept.joined_into, concept)
                joins.append({"id": row, "joined_into_id": into})
            edges += [
                {"concept_id": row, "requires_id": self._id("concept", slug, concept)}
                for slug in sorted({*concept.requires} - {*earlier.requires})
            ]
            if concept.state != earlier.state:
                states[row] = concept.state
        update_rows(self._connection, "concept", "id", joins)
        insert_rows(self._connection, "concept_requires", edges)
        added = Counter(after.changes) - Counter(before.changes)
        adopt_changes(
            self._connection,
            states,
            _rows_of(
                self._columns([each for each in after.changes for _ in range(added.pop(each, 0))])
            ),
        )

    def write_cards(self, before: Sequence[ItemRecord], after: Sequence[ItemRecord]) -> None:
        """Add and change the texts of cards."""
        known = {each.guid: each.card for each in before}
        new: list[tuple[int, CardRecord]] = []
        changed: list[Columns] = []
        for item in after:
            earlier, row = known.get(item.guid), self._ids["item"][item.guid]
            if item.card is None or item.card == earlier:
                continue
            if earlier is None:
                new.append((row, item.card))
            else:
                changed.append({"item_id": row, **asdict(item.card)})
        if new:
            rows, cards = zip(*new, strict=True)
            insert_columns(self._connection, "card", {"item_id": rows, **self._columns(cards)})
        update_rows(self._connection, "card", "item_id", changed)


def _rows_of(columns: Mapping[str, Sequence[Any]]) -> list[Columns]:
    """Return the rows of columns, each by the columns' names."""
    return [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]
