"""Joining what was salvaged of a database with a backup of it: the second half of a recovery.

Rows are known by what they are called everywhere (guid, slug, uuid); the numbers by which they
refer to each other are those of the damaged file, and are translated. A row that others need and
that nobody has any more gets a substitute, so that no readable row is dropped for it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
from studyattn.store.salvage import LACKING, LOG, MEMORY, SCHEMA, TABLES, Salvaged, SalvagedRow
from studyattn.store.vocabulary import CARD, OWN, UNSEEN

_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "source": ("guid",),
    "concept": ("slug",),
    "item": ("guid",),
    "card": ("item_id",),
    "concept_requires": ("concept_id", "requires_id"),
    "memory_start": ("item_guid",),
    "anki_type": ("number",),
    "anki_note": ("guid",),
    "anki_card": ("item_guid",),
    "note": ("guid",),
    "brought_back": ("uuid",),
    "setting": ("key",),
    "decision": ("kind", "name", "field"),
}
"""The tables whose rows can change, each with the columns that name a row; in the order in which
they refer to each other."""

_VERSIONS: Final = {
    "source": ("digest", "imported_at"),
    "note": ("updated_at",),
    "card": ("digest", "edited_at"),
}
"""The columns that change with a row's text, the last with its date: where only the one or the
other is not the backup's, that is damage which can be read."""

_WORKED_OUT = frozenset({"id", "joined_into_id"})  # not taken as they are
_LOST_CARD = "*The text of this card could not be read.*"
_UNMET = "rowid NOT IN (SELECT old FROM met)"  # a salvaged row that is not one of ours
_LACKS = f"{LACKING} IS NOT NULL"
_PACKS = "pack:"  # prefix of the settings that hold the packs' digests

Columns = dict[str, Any]


@dataclass(frozen=True, slots=True)
class JoinedTable:
    """The numbers of one table's rows."""

    table: str
    read: int  # rows of the new database that were read from the damaged one
    added: int  # rows that only the backup had
    unusable: int  # rows that were read but make no sense
    missing: int = 0  # rows of the log that were once there and that neither has
    unplaced: int = 0  # rows of the log that name an item which does not exist


def join(
    connection: sqlite3.Connection, salvaged: Salvaged, now: datetime
) -> tuple[JoinedTable, ...]:
    """Write what was salvaged into the database of `connection`, which has the backup's rows.

    The caller begins and ends the transaction.
    """
    joining = _Joining(connection, salvaged, now)
    numbers = [joining.things(TABLES[name], keys) for name, keys in _KEYS.items()]
    joining.joins()
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
        self._names: dict[str, dict[tuple[Any, ...], int]] = {}  # by table: the number of a name

    def things(self, table: Table, keys: tuple[str, ...]) -> JoinedTable:
        """Join a table whose rows can change: what the damaged file says of a row holds."""
        select = f"SELECT rowid, {', '.join(map(_quoted, keys))} FROM {table.name}"  # noqa: S608 - ours
        then = {number: tuple(called) for number, *called in self._connection.execute(select)}
        names = self._names[table.name] = {called: number for number, called in then.items()}
        ids = self._ids[table.name] = {number: number for number in then}
        read, unusable = set[tuple[Any, ...]](), 0
        for row in self._salvaged.rows(table.name):
            columns = self._columns(table, row)
            if (called := self._called(table, row, columns, then)) is None:
                unusable += 1
                continue
            columns.update(zip(keys, called, strict=True))
            number = names.get(called)
            if number is None:
                number = self._add(table, self._filled(table, row, columns))
                if number is None:
                    unusable += 1
                    continue
                names[called] = number
            elif not self._change(table, number, columns, is_earlier=row.is_earlier):
                ids[row.rowid] = number
                continue
            ids[row.rowid] = number
            read.add(called)
        return self._numbers(table.name, len(read), len(set(then.values()) - read), unusable)

    def _called(
        self, table: Table, row: SalvagedRow, columns: Columns, then: Mapping[int, tuple[Any, ...]]
    ) -> tuple[Any, ...] | None:
        """Return what a row is called, if need be by the backup or its number; None for nothing."""
        keys = _KEYS[table.name]
        if table.name == "decision" and len(columns) < len(table.columns):
            return None
        if all(columns.get(key) is not None for key in keys):
            return tuple(columns[key] for key in keys)
        if "id" not in table.columns:
            return None
        return then.get(row.rowid) or (row.text(keys[0]) or f"recovered-{row.rowid}",)

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
        columns = [_quoted(column.name) for column in table.columns if column.name != "id"]
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
        unplaced = 0
        if "item_guid" in table.columns:
            nowhere = "item_guid NOT IN (SELECT guid FROM item)"
            unplaced = self._count(f"SELECT count(*) FROM {name} WHERE {nowhere}")  # noqa: S608 - ours
        return self._numbers(name, read, added, unusable, missing, unplaced)

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
            row = SalvagedRow(item, {})
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

    def _columns(self, table: Table, row: SalvagedRow) -> Columns:
        """Return the values that could be read, with the numbers that rows have now."""
        columns: Columns = {}
        for column in table.columns:
            name = column.name
            if name not in row.values or name in _WORKED_OUT or column in MEMORY:
                continue
            value = row.values[name]
            if column.foreign_keys and value is not None:
                (key,) = column.foreign_keys
                needed = not column.nullable and table.name != "concept_requires"
                value = self._number(key.column.table.name, value, needed=needed)
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
        if (called,) not in names:
            columns = {_KEYS[name][0]: called}
            if name == "concept":
                columns["title"] = f"Recovered {number}"
            table = TABLES[name]
            added = self._add(table, self._filled(table, SalvagedRow(number, {}), columns))
            if added is None:
                raise sqlite3.IntegrityError(f"no {name} can be made")
            names[called,] = added
        return names[called,]

    def _change(self, table: Table, number: int, columns: Columns, *, is_earlier: bool) -> bool:
        """Take over what a row says. Return False for a state from before the backup."""
        known = self._known(table, number)
        versions = _VERSIONS.get(table.name, ())
        dated = versions[-1] if versions else "at"
        is_later = str(columns.get(dated) or "") > str(known.get(dated) or "")
        if is_earlier and not is_later:
            return False
        if table.name == "decision" and not is_later:  # on each field the later one holds
            return True
        if changed := _taken_over(table, known, columns):
            names = ", ".join(f"{_quoted(name)} = ?" for name in changed)
            self._connection.execute(
                f"UPDATE OR IGNORE {table.name} SET {names} WHERE rowid = ?",  # noqa: S608 - ours
                (*changed.values(), number),
            )
        return True

    def _known(self, table: Table, number: int) -> Columns:
        select = f"SELECT * FROM {table.name} WHERE rowid = ?"  # noqa: S608 - ours
        read = self._connection.execute(select, (number,))
        return dict(zip((name for name, *_ in read.description), read.fetchone(), strict=True))

    def _add(self, table: Table, columns: Columns) -> int | None:
        """Add a row and return its number; None when the table's own rules refuse it."""
        names = ", ".join(map(_quoted, columns))
        marks = ", ".join("?" for _ in columns)
        try:
            return self._connection.execute(
                f"INSERT INTO {table.name} ({names}) VALUES ({marks})",  # noqa: S608 - ours
                tuple(columns.values()),
            ).lastrowid
        except sqlite3.IntegrityError:
            return None

    def _filled(self, table: Table, row: SalvagedRow, columns: Columns) -> Columns:
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

    def _stand_in(self, column: Column[Any], row: SalvagedRow) -> Any:  # noqa: PLR0911 - one return a type
        if column.foreign_keys:
            (key,) = column.foreign_keys
            return self._number(key.column.table.name, 0, needed=True)
        if getattr(column.default, "is_scalar", False):
            return column.default.arg  # type: ignore[union-attr]
        if column.name in ("guid", "slug", "uuid"):
            called = f"recovered-{row.rowid}"
            return stored_uuid(called) if isinstance(column.type, LogUuid) else called
        if (word := _LIKELIEST.get((column.table.name, column.name))) is not None:
            return word
        when = _KEPT.get(type(column.type))
        if when is not None:
            return when(_instant(row) or self._now)
        if isinstance(column.type, types.JSON):
            return "{}"
        return "" if isinstance(column.type, types.String | JsonText) else 0

    def _numbers(self, name: str, read: int, added: int, unusable: int, *more: int) -> JoinedTable:
        unusable += self._salvaged.readings[name].unusable
        return JoinedTable(name, read, added, unusable, *more)


def _taken_over(table: Table, known: Columns, columns: Columns) -> Columns:
    """Return what is other in a row, but texts only together with what tells their version."""
    versions = {*_VERSIONS.get(table.name, ())}
    changed = {name: value for name, value in columns.items() if known[name] != value}
    kinds = (types.String, types.JSON)
    texts = {e for e in changed.keys() - versions if isinstance(table.columns[e].type, kinds)}
    if versions and not (texts and changed.keys() & versions):
        return {name: changed[name] for name in changed.keys() - texts - versions}
    return changed


def _quoted(name: str) -> str:
    return f'"{name}"'


_LIKELIEST: Final = {("concept", "state"): UNSEEN, ("item", "kind"): CARD}
"""The word of most rows in columns of words, by their table and name."""
_KEPT: Final[Mapping[type, Callable[[datetime], object]]] = {
    UtcDateTime: instant_text,
    LogInstant: stored_instant,
    types.Date: lambda at: at.date().isoformat(),
    LogDay: lambda at: stored_day(at.date()),
}
"""An instant as columns of these types keep it, or its day."""


def _instant(row: SalvagedRow) -> datetime | None:
    """Return an instant that a row can be dated by: another one of its own, or noon of its day."""
    for name in ("at", "created_at", "updated_at"):
        if name in row.values and row.values[name] is not None:
            return read_stored_instant(instant_as_stored(row.values[name]))
    if (day := row.values.get("learner_day")) is None:
        return None
    noon = datetime.combine(read_stored_day(day_as_stored(day)), time(12), UTC)
    return noon - timedelta(minutes=row.values.get("utc_offset", 0))
