"""Joining what was salvaged of a database with a backup of it: the second half of a recovery.

Rows are known by what they are called everywhere (guid, slug, uuid); the numbers by which they
refer to each other are those of the damaged file, and are translated. A row that others need and
that nobody has any more gets a substitute, so that no readable row is dropped for it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any, Final

from sqlalchemy import Column, Table, types

from studyattn.store.column_types import JsonText, LogDay, LogInstant, LogUuid, UtcDateTime
from studyattn.store.driver import instant_text
from studyattn.store.log_values import (
    day_as_stored,
    instant_as_stored,
    read_stored_day,
    read_stored_instant,
    stored_day,
    stored_instant,
    stored_uuid,
)
from studyattn.store.queries.items import MEMORY_COLUMNS
from studyattn.store.salvage import LACKING, LOG, SCHEMA, TABLES, Row, Salvaged
from studyattn.store.vocabulary import CARD, OWN, UNSEEN

_KEYS: Final = {
    "source": "guid",
    "concept": "slug",
    "item": "guid",
    "memory_start": "item_guid",
    "anki_type": "number",
    "anki_note": "guid",
    "anki_card": "item_guid",
    "note": "guid",
    "brought_back": "uuid",
    "setting": "key",
}
"""The tables whose rows can change, each with the column that names a row; in the order in which
they refer to each other."""

_VERSIONS: Final = {
    "source": ("digest", "imported_at"),
    "note": ("updated_at",),
    "card": ("digest", "edited_at"),
}
"""The columns that change with every change of a row's text. Where they are the backup's, or cannot
be read, its text is the one that is not damaged; where its text is the backup's, they are too."""

_SET_ONCE: Final = {
    "item": frozenset({"kind", "created_at"}),
    "note": frozenset({"created_at"}),
    "brought_back": frozenset(
        {"item_guid", "attempt_uuid", "misconception", "reason", "at", "learner_day"}
    ),
}
"""The columns that keep the value that a row was made with. Where the backup has another, the
damaged file's is damage that left a value of the same kind."""

_MEMORY = frozenset(TABLES["item"].columns[name] for name in MEMORY_COLUMNS)
_WORKED_OUT = frozenset({"id", "joined_into_id"})  # not taken as they are
_LOST_CARD = "*The text of this card could not be read.*"
_UNMET = "rowid NOT IN (SELECT old FROM met)"  # a salvaged row that is not one of ours
_LACKS = f"{LACKING} IS NOT NULL"
_UNREADABLE = "\N{REPLACEMENT CHARACTER}"
_PACKS = "pack:"  # prefix of the settings that hold the packs' digests

Columns = dict[str, Any]


@dataclass(frozen=True, slots=True)
class JoinedTable:
    """The numbers of one table's rows."""

    table: str
    read: int  # rows of the new database that were read from the damaged one
    added: int  # rows that only the backup had
    unusable: int  # rows that were read but make no sense
    missing: int  # rows of the log that were once there and that neither has; 0 for other tables
    mended: int = 0  # rows with a damaged name, theirs or their item's, that can only be one
    unplaced: int = 0  # rows of the log that name an item which does not exist


def join(
    connection: sqlite3.Connection, salvaged: Salvaged, now: datetime
) -> tuple[JoinedTable, ...]:
    """Write what was salvaged into the database of `connection`, which has the backup's rows.

    The caller begins and ends the transaction.
    """
    joining = _Joining(connection, salvaged, now)
    numbers = [joining.things(name, key) for name, key in _KEYS.items()]
    joining.joins()
    numbers += [joining.cards(), joining.requirements(), joining.decisions()]
    numbers += [joining.log(name) for name in LOG]
    joining.complete()
    order = list(TABLES)
    return tuple(sorted(numbers, key=lambda each: order.index(each.table)))


class _Joining:
    def __init__(
        self,
        connection: sqlite3.Connection,
        salvaged: Salvaged,
        now: datetime,
    ) -> None:
        self._connection = connection
        self._salvaged = salvaged
        self._now = now
        self._ids: dict[str, dict[int, int]] = {}  # by table: the number now of a number then
        self._names: dict[str, dict[str, int]] = {}  # by table: the number of what is called so
        self._changed: dict[tuple[str, int], Columns] = {}  # rows of the backup as they were

    def things(self, name: str, key: str) -> JoinedTable:
        """Join a table whose rows can change: what the damaged file says of a row holds."""
        table = TABLES[name]
        names = self._names[name] = dict(
            self._connection.execute(f'SELECT "{key}", rowid FROM {name}')  # noqa: S608 - ours
        )
        then = {number: called for called, number in names.items()}
        ids = self._ids[name] = {number: number for number in then}
        read, unusable, mended = set[str](), 0, 0
        for row in self._salvaged.rows(name):
            called, before = row.text(key), then.get(row.rowid)
            if before and called and called not in names and _is_damaged(called, before):
                called, mended = before, mended + 1
            elif key not in row.values:
                called = before or called
            if not called and name == "setting":
                unusable += 1
                continue
            called = called or f"recovered-{row.rowid}"
            columns = {**self._columns(table, row), key: called}
            if called in names:
                known = self._known(table, names[called]) if names[called] in then else {}
                if row.is_earlier and not _is_later(table, columns, known):
                    ids[row.rowid] = names[called]
                    continue
                self._change(table, names[called], columns, known)
            else:
                number = self._add(table, self._filled(table, row, columns))
                if number is None:
                    unusable += 1
                    continue
                names[called] = number
            ids[row.rowid] = names[called]
            read.add(called)
        added = sum(called not in read for called in then.values())
        return replace(self._numbers(name, len(read), added, unusable), mended=mended)

    def joins(self) -> None:
        """Tie concepts to those that they were joined into, now that all of them have rows."""
        for row in self._salvaged.rows("concept"):
            into = row.values.get("joined_into_id")
            ids = self._ids["concept"]
            number, target = ids.get(row.rowid), None if into is None else ids.get(into)
            if number is not None and (into is None or target is not None):
                self._connection.execute(
                    "UPDATE concept SET joined_into_id = ? WHERE id = ?"
                    " AND joined_into_id IS NOT ?",
                    (target, number, target),
                )

    def cards(self) -> JoinedTable:
        """Join the texts of cards."""
        table = TABLES["card"]
        known = {item for (item,) in self._connection.execute("SELECT item_id FROM card")}
        read, unusable = set[int](), 0
        for row in self._salvaged.rows("card"):
            columns = self._columns(table, row)
            item = columns["item_id"]
            if item in known:
                before = self._known(table, item)
                if row.is_earlier and not _is_later(table, columns, before):
                    continue
                self._change(table, item, columns, before)
            elif self._add(table, self._filled(table, row, columns)) is None:
                unusable += 1
                continue
            read.add(item)
        return self._numbers("card", len(read), len(known - read), unusable)

    def requirements(self) -> JoinedTable:
        """Join which concept is easier after which other, where both are there."""
        ids = self._ids["concept"]
        known = {
            (concept, required)
            for concept, required in self._connection.execute(
                "SELECT concept_id, requires_id FROM concept_requires"
            )
        }
        read, unusable = set[tuple[int, int]](), 0
        for row in self._salvaged.rows("concept_requires"):
            one, other = (ids.get(row.values[name]) for name in ("concept_id", "requires_id"))
            if one is None or other is None:
                unusable += 1
                continue
            read.add((one, other))
        self._connection.executemany(
            "INSERT INTO concept_requires (concept_id, requires_id) VALUES (?, ?)", read - known
        )
        return self._numbers("concept_requires", len(read), len(known - read), unusable)

    def decisions(self) -> JoinedTable:
        """Join the learner's decisions: on each field the later one holds."""
        table = TABLES["decision"]
        names = [column.name for column in table.columns]
        key = [column.name for column in table.primary_key.columns]
        select = f"SELECT {', '.join(key)}, at FROM decision"  # noqa: S608 - ours
        known = {tuple(called): at for *called, at in self._connection.execute(select)}
        read, unusable = set[tuple[Any, ...]](), 0
        for row in self._salvaged.rows("decision"):
            if not all(name in row.values for name in names):
                unusable += 1
                continue
            called = tuple(row.values[name] for name in key)
            if called not in known or known[called] < row.values["at"]:
                self._connection.execute(
                    f"INSERT OR REPLACE INTO decision ({', '.join(names)})"  # noqa: S608 - ours
                    f" VALUES ({', '.join('?' for _ in names)})",
                    [row.values[name] for name in names],
                )
            read.add(called)
        return self._numbers("decision", len(read), len(known.keys() - read), unusable)

    def log(self, name: str) -> JoinedTable:
        """Join a table whose rows never change: the backup's row is the better of two.

        Statements do it, because a log may have a million rows.
        """
        table = TABLES[name]
        last = self._count(f"SELECT coalesce(max(id), 0) FROM {name}")  # noqa: S608 - ours
        self._connection.execute("CREATE TEMP TABLE met (old INTEGER PRIMARY KEY, new INTEGER)")
        # A row with the number and the instant of another one is the same one, but damaged.
        self._meet(name, "own.id = found.rowid AND own.at IS found.at")
        refers = any(column.foreign_keys for column in table.columns)
        for row in self._salvaged.rows(name, _UNMET if refers else f"{_UNMET} AND {_LACKS}"):
            whole = self._filled(table, row, self._columns(table, row))
            self._salvaged.change(name, row.rowid, whole)
        mended, unplaced = self._place(name) if "item_guid" in table.columns else (0, 0)
        columns = [f'"{column.name}"' for column in table.columns if column.name != "id"]
        names, has_uuid = ", ".join(columns), "uuid" in table.columns
        is_same = " AND ".join(f"own.{each} IS found.{each}" for each in columns)
        self._meet(name, "own.uuid = found.uuid" if has_uuid else is_same)
        # A review rates or it withdraws. What contradicts that, or the table refuses, is left out.
        taken = "(rating IS NULL) != (withdraws IS NULL)" if name == "review" else "TRUE"
        order = "ORDER BY rowid" if has_uuid else f"GROUP BY {names} ORDER BY min(rowid)"
        self._connection.execute(
            f"INSERT OR IGNORE INTO {name} ({names})"  # noqa: S608 - ours
            f" SELECT {names} FROM {SCHEMA}.{name} WHERE {_UNMET} AND {taken} {order}"
        )
        self._meet(name, "own.uuid = found.uuid" if has_uuid else is_same)
        read = self._count("SELECT count(DISTINCT new) FROM met")
        added = self._count(f"SELECT count(*) FROM {name}") - read  # noqa: S608 - ours
        unusable = self._count(f"SELECT count(*) FROM {SCHEMA}.{name} WHERE {_UNMET}")  # noqa: S608 - ours
        missing = self._gaps(name, last)
        self._connection.execute("DROP TABLE met")
        numbers = self._numbers(name, read, added, unusable, missing)
        return replace(numbers, mended=mended, unplaced=unplaced)

    def _place(self, name: str) -> tuple[int, int]:
        """Give rows of the log that name no item the item that they can only have named.

        A name that the backup's log has, or several rows, is that of an item that was there once.
        Return how many rows were mended, and how many stay as they are.
        """
        placeless = self._connection.execute(
            f"SELECT min(rowid), item_guid, count(*) FROM {SCHEMA}.{name} WHERE {_UNMET}"  # noqa: S608 - ours
            " AND item_guid NOT IN (SELECT guid FROM item)"
            f" AND item_guid NOT IN (SELECT item_guid FROM main.{name}) GROUP BY item_guid"
        ).fetchall()
        mended = 0
        for rowid, damaged, rows in placeless:
            like = self._connection.execute(
                "SELECT guid FROM item WHERE length(guid) = length(?)", (damaged,)
            )
            near = [guid for (guid,) in like if _is_damaged(damaged, guid)]
            if rows == 1 and len(near) == 1:
                self._salvaged.change(name, rowid, {"item_guid": near[0]})
                mended += 1
        return mended, sum(rows for *_, rows in placeless) - mended

    def _meet(self, name: str, condition: str) -> None:
        """Note which rows of the log are `found` in the damaged file and our `own`, too."""
        self._connection.execute(
            "INSERT OR IGNORE INTO met SELECT found.rowid, own.id"  # noqa: S608 - ours
            f" FROM {SCHEMA}.{name} AS found CROSS JOIN main.{name} AS own"
            f" WHERE found.{_UNMET} AND {condition}"
        )

    def _gaps(self, name: str, last: int) -> int:
        """Count the numbers that nobody has: rows of the log are numbered without a gap.

        Numbers far beyond all others are damage themselves.
        """
        self._connection.execute("CREATE TEMP TABLE numbers (number INTEGER PRIMARY KEY)")
        for rows in (
            f"SELECT id FROM {name} WHERE id <= {last}",  # noqa: S608 - ours
            f"SELECT rowid FROM {SCHEMA}.{name}",  # noqa: S608 - ours
        ):
            self._connection.execute(f"INSERT OR IGNORE INTO numbers {rows}")
        gaps = self._count(
            "SELECT coalesce(max(number), 0) - count(*) FROM numbers WHERE number BETWEEN 1"
            " AND 10 * (SELECT count(*) FROM numbers) + 1000"
        )
        self._connection.execute("DROP TABLE numbers")
        return gaps

    def _count(self, select: str) -> int:
        (number,) = self._connection.execute(select).fetchone()
        return int(number)

    def complete(self) -> None:
        """Give every card a text, and have the packs write theirs again."""
        lost = self._connection.execute(
            "SELECT id FROM item WHERE kind = ? AND id NOT IN (SELECT item_id FROM card)", (CARD,)
        ).fetchall()
        for (item,) in lost:
            row = Row(item, {})
            self._add(
                TABLES["card"],
                self._filled(
                    TABLES["card"], row, {"item_id": item, "front": _LOST_CARD, "kind": "basic"}
                ),
            )
        self._connection.execute(
            "UPDATE setting SET value = json_set(value, '$.digest', '')"
            " WHERE key LIKE ? AND json_type(value) = 'object'",
            (f"{_PACKS}%",),
        )

    # -- rows ------------------------------------------------------------------------------------

    def _known(self, table: Table, number: int) -> Columns:
        """Return a row as the backup has it."""
        if (table.name, number) in self._changed:
            return self._changed[table.name, number]
        read = self._connection.execute(
            f"SELECT * FROM {table.name} WHERE rowid = ?",  # noqa: S608 - ours
            (number,),
        )
        (values,) = read.fetchall()
        return dict(zip((name for name, *_ in read.description), values, strict=True))

    def _columns(self, table: Table, row: Row) -> Columns:
        """Return the values that could be read, with the numbers that rows have now."""
        columns: Columns = {}
        for column in table.columns:
            name = column.name
            if name not in row.values or name in _WORKED_OUT or column in _MEMORY:
                continue
            value = row.values[name]
            if column.foreign_keys and value is not None:
                (key,) = column.foreign_keys
                value = self._number(key.column.table.name, value, needed=not column.nullable)
                if value is None:
                    continue  # what it refers to is lost
            columns[name] = value
        return columns

    def _number(self, name: str, then: int, *, needed: bool) -> int | None:
        """Return the number now of the row that had a number then; one is made when needed."""
        ids = self._ids[name]
        if then not in ids and needed:
            ids[then] = self._substitute(name, then)
        return ids.get(then)

    def _substitute(self, name: str, number: int) -> int:
        """Make a concept or an item in the place of one that could not be read."""
        called = f"recovered-{number}" if name == "concept" else f"{OWN}recovered-{number}"
        names = self._names[name]
        if called not in names:
            columns = {_KEYS[name]: called}
            if name == "concept":
                columns["title"] = f"Recovered {number}"
            table = TABLES[name]
            added = self._add(table, self._filled(table, Row(number, {}), columns))
            if added is None:
                raise sqlite3.IntegrityError(f"no {name} can be made")
            names[called] = added
        return names[called]

    def _change(self, table: Table, number: int, columns: Columns, known: Columns) -> None:
        if _left_its_pack(table, columns, known):
            return  # its other values, though they can be read, are damaged as well
        changed = {name: value for name, value in columns.items() if known.get(name) != value}
        if known:
            for name in _damaged(table, changed):
                del changed[name]
        if changed:
            if known:
                self._changed[table.name, number] = known
            names = ", ".join(f'"{name}" = ?' for name in changed)
            self._connection.execute(
                f"UPDATE {table.name} SET {names} WHERE rowid = ?",  # noqa: S608 - ours
                (*changed.values(), number),
            )

    def _add(self, table: Table, columns: Columns) -> int | None:
        """Add a row and return its number; None when the table's own rules refuse it."""
        names = ", ".join(f'"{name}"' for name in columns)
        marks = ", ".join("?" for _ in columns)
        try:
            return self._connection.execute(
                f"INSERT INTO {table.name} ({names}) VALUES ({marks})",  # noqa: S608 - ours
                tuple(columns.values()),
            ).lastrowid
        except sqlite3.IntegrityError:
            return None

    def _filled(self, table: Table, row: Row, columns: Columns) -> Columns:
        """Return the columns of a whole row: what could not be read is derived, or empty."""
        filled = dict(columns)
        for column in table.columns:
            if column.name in filled or column.name == "id":
                continue
            partly = row.text(column.name) if column.name in row.partly else None
            if partly is not None and not isinstance(column.type, types.JSON):
                filled[column.name] = partly
            elif not column.nullable:
                filled[column.name] = self._stand_in(column, row)
        return filled

    def _stand_in(self, column: Column[Any], row: Row) -> Any:  # noqa: PLR0911 - one return a type
        if column.foreign_keys:
            (key,) = column.foreign_keys
            return self._number(key.column.table.name, 0, needed=True)
        default = column.default
        if default is not None and default.is_scalar:
            return default.arg  # type: ignore[attr-defined]
        if column.name in ("guid", "slug", "uuid"):
            called = f"recovered-{row.rowid}"
            return stored_uuid(called) if isinstance(column.type, LogUuid) else called
        if column.table.name == "concept" and column.name == "state":
            return UNSEEN
        if column.table.name == "item" and column.name == "kind":
            return CARD
        when = _KEPT.get(type(column.type))
        if when is not None:
            return when(_instant(row) or self._now)
        if isinstance(column.type, types.JSON):
            return "{}"
        return "" if isinstance(column.type, types.String | JsonText) else 0

    def _numbers(
        self, name: str, read: int, added: int, unusable: int, missing: int = 0
    ) -> JoinedTable:
        unusable += self._salvaged.readings[name].unusable
        return JoinedTable(name, read, added, unusable, missing)


_KEPT: Final[Mapping[type, Callable[[datetime], object]]] = {
    UtcDateTime: instant_text,
    LogInstant: stored_instant,
    types.Date: lambda at: at.date().isoformat(),
    LogDay: lambda at: stored_day(at.date()),
}
"""An instant as columns of these types keep it, or its day."""


def _instant(row: Row) -> datetime | None:
    """Return an instant that a row can be dated by: another one of its own, or noon of its day."""
    for name in ("at", "created_at", "updated_at"):
        if name in row.values and row.values[name] is not None:
            return read_stored_instant(instant_as_stored(row.values[name]))
    if (day := row.values.get("learner_day")) is None:
        return None
    noon = datetime.combine(read_stored_day(day_as_stored(day)), time(12), UTC)
    return noon - timedelta(minutes=row.values.get("utc_offset", 0))


def _is_damaged(name: str, whole: str) -> bool:
    """Tell whether a name is another one with one character changed, and some that are unreadable.

    Two names of things are never so much alike that nothing else could tell them apart.
    """
    if len(name) != len(whole):
        return False
    return sum(a not in {b, _UNREADABLE} for a, b in zip(name, whole, strict=True)) <= 1


def _is_later(table: Table, columns: Columns, known: Columns) -> bool:
    """Tell whether an earlier state of a row is from after the backup all the same."""
    *_, dated = _VERSIONS.get(table.name, ("",))
    now, then = columns.get(dated), known.get(dated)
    return bool(known) and isinstance(now, str) and (not isinstance(then, str) or now > then)


def _left_its_pack(table: Table, columns: Columns, known: Columns) -> bool:
    """Tell whether a row names another pack than in the backup.

    No row ever does: only an item that was imported may become one of a pack.
    """
    if "pack" not in known or "pack" not in columns:
        return False
    joins = table.name == "item" and known["pack"] is None
    return bool(columns["pack"] != known["pack"] and not joins)


def _damaged(table: Table, changed: Columns) -> frozenset[str]:
    """Return those of a row's changed columns that only damage changes, when not others as well.

    A text and its version change together, and some columns never do.
    """
    versions = frozenset(_VERSIONS.get(table.name, ()))
    texts = frozenset(
        name
        for name in changed.keys() - versions
        if isinstance(table.columns[name].type, types.String | types.JSON)
    )
    alone = frozenset[str]()
    if versions and not (texts and versions & changed.keys()):
        alone = texts | versions
    return frozenset(changed) & (alone | _SET_ONCE.get(table.name, frozenset()))
