"""Joining what was salvaged of a database with a backup of it: the second half of a recovery.

Rows are known by what they are called everywhere (guid, slug, uuid); the numbers by which they
refer to each other are those of the damaged file, and are translated. A row that others need and
that nobody has any more gets a substitute, so that no readable row is dropped for it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any, Final

from sqlalchemy import Column, Table, types

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
from studyattn.store.models import OWN, JsonText, LogDay, LogInstant, LogUuid, UtcDateTime
from studyattn.store.queries.items import MEMORY_COLUMNS
from studyattn.store.salvage import LOG, TABLES, Row, SalvagedTable
from studyattn.store.vocabulary import CARD, UNSEEN

_KEYS: Final = {
    "source": "guid",
    "concept": "slug",
    "item": "guid",
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

_MEMORY = frozenset(MEMORY_COLUMNS)
_WORKED_OUT = frozenset({"id", "joined_into_id"})  # not taken as they are
_LOST_CARD = "*The text of this card could not be read.*"
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


def join(
    connection: sqlite3.Connection, salvaged: Mapping[str, SalvagedTable], now: datetime
) -> tuple[JoinedTable, ...]:
    """Write what was salvaged into the database of `connection`, which has the backup's rows.

    The caller ends the transaction.
    """
    connection.row_factory = sqlite3.Row
    connection.execute("BEGIN IMMEDIATE")
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
        salvaged: Mapping[str, SalvagedTable],
        now: datetime,
    ) -> None:
        self._connection = connection
        self._salvaged = salvaged
        self._now = now
        self._ids: dict[str, dict[int, int]] = {}  # by table: the number now of a number then
        self._names: dict[str, dict[str, int]] = {}  # by table: the number of what is called so

    def things(self, name: str, key: str) -> JoinedTable:
        """Join a table whose rows can change: what the damaged file says of a row holds."""
        table = TABLES[name]
        known = {row[key]: dict(row) for row in self._stored(name)}
        then = {row["number"]: row[key] for row in known.values()}
        names = self._names[name] = {called: row["number"] for called, row in known.items()}
        ids = self._ids[name] = {row["number"]: row["number"] for row in known.values()}
        read, unusable = set[str](), 0
        for row in self._rows(name):
            called = row.values.get(key) or then.get(row.rowid) or row.partly.get(key)
            if not called and name == "setting":
                unusable += 1
                continue
            called = called or f"recovered-{row.rowid}"
            columns = {**self._columns(table, row), key: called}
            if called in names:
                self._change(table, names[called], columns, known.get(called, {}))
            else:
                number = self._add(table, self._filled(table, row, columns))
                if number is None:
                    unusable += 1
                    continue
                names[called] = number
            ids[row.rowid] = names[called]
            read.add(called)
        return self._numbers(name, len(read), len(known.keys() - read), unusable)

    def joins(self) -> None:
        """Tie concepts to those that they were joined into, now that all of them have rows."""
        for row in self._rows("concept"):
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
        known = {row["item_id"]: dict(row) for row in self._stored("card")}
        read, unusable = set[int](), 0
        for row in self._rows("card"):
            columns = self._columns(table, row)
            item = columns["item_id"]
            if item in known:
                self._change(table, item, columns, known[item])
            elif self._add(table, self._filled(table, row, columns)) is None:
                unusable += 1
                continue
            read.add(item)
        return self._numbers("card", len(read), len(known.keys() - read), unusable)

    def requirements(self) -> JoinedTable:
        """Join which concept is easier after which other, where both are there."""
        ids = self._ids["concept"]
        known = {
            (row["concept_id"], row["requires_id"]) for row in self._stored("concept_requires")
        }
        read, unusable = set[tuple[int, int]](), 0
        for row in self._rows("concept_requires"):
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
        known = {tuple(row[name] for name in key): row["at"] for row in self._stored("decision")}
        read, unusable = set[tuple[Any, ...]](), 0
        for row in self._rows("decision"):
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
        """Join a table whose rows never change: the backup's row is the better of two."""
        table = TABLES[name]
        names = [column.name for column in table.columns if column.name != "id"]
        own = "uuid" if "uuid" in names else None
        known, places = set[Any](), dict[tuple[int, Any], Any]()
        for stored in self._stored(name):
            called = stored[own] if own else tuple(stored[each] for each in names)
            known.add(called)
            places[stored["number"], stored["at"]] = called
        numbers = {number for number, _ in places}
        read, unusable = set[Any](), 0
        for row in self._rows(name):
            columns = self._filled(table, row, self._columns(table, row))
            # A row with the number and the instant of another one is the same one, but damaged.
            called = places.get((row.rowid, columns.get("at")))
            if called is None:
                called = columns[own] if own else tuple(columns.get(each) for each in names)
            numbers.add(row.rowid)
            if called not in known:
                if _contradicts_itself(name, columns) or self._add(table, columns) is None:
                    unusable += 1
                    continue
                known.add(called)
            read.add(called)
        return self._numbers(name, len(read), len(known) - len(read), unusable, _gaps(numbers))

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

    def _rows(self, name: str) -> Iterator[Row]:
        """Yield what was salvaged of a table, oldest first."""
        rows = self._salvaged[name].rows
        return (rows[rowid] for rowid in sorted(rows))

    def _stored(self, name: str) -> list[sqlite3.Row]:
        return self._connection.execute(f"SELECT rowid AS number, * FROM {name}").fetchall()  # noqa: S608 - ours

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
        unusable += self._salvaged[name].unusable
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


def _contradicts_itself(name: str, columns: Columns) -> bool:
    """Tell whether a review neither rates nor withdraws, or does both."""
    rating, withdraws = columns.get("rating"), columns.get("withdraws")
    return name == "review" and (rating is None) == (withdraws is None)


def _gaps(numbers: set[int]) -> int:
    """Count the numbers that nobody has: rows of the log are numbered without a gap.

    Numbers far beyond all others are damage themselves.
    """
    plausible = [number for number in numbers if 0 < number <= 10 * len(numbers) + 1000]
    return max(plausible, default=0) - len(plausible)
