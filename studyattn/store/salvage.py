"""Reading every row that is left in a damaged database file and its log.

SQLite reads what it can: each table forwards, backwards and, between, row by row. What it no longer
reaches, because the way there or the schema is damaged, is read from the pages (`pages`). What a
value, a row or a table is follows from `models`. What is found is kept in a file (`salvaged`), of
which `recovery` makes a new database.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Column, Table, types

from studyattn.store import pages
from studyattn.store.column_types import LogDay, LogInstant, LogUuid, handling
from studyattn.store.models import Base
from studyattn.store.pages import Value
from studyattn.store.queries.items import MEMORY_COLUMNS
from studyattn.store.vocabulary import STATES

TABLES: Final[Mapping[str, Table]] = {table.name: table for table in Base.metadata.sorted_tables}

SCHEMA: Final = "salvaged"
"""The name by which statements know the scratch file."""

LACKING: Final = "lacking"
"""The column of the scratch tables that is NULL in a whole row."""

_EARLIER: Final = "is_earlier"


@dataclass(frozen=True, slots=True)
class SalvagedRow:
    """One row: the values that can be read, and texts that can be read in part."""

    rowid: int
    values: Mapping[str, Any]
    partly: Mapping[str, str] = field(default_factory=dict)
    is_earlier: bool = False
    """It is from before the log was last begun anew, so it may be older than in a backup."""

    def text(self, column: str) -> str | None:
        """Return a text, with signs for what cannot be read; None when there is none."""
        value = self.values.get(column, self.partly.get(column))
        return None if value is None else str(value)


@dataclass(slots=True)
class TableReading:
    """The reading of one table."""

    unusable: int = 0  # rows that SQLite reads, but that are none of this table
    complete: bool = False  # SQLite read it from one end to the other


class Salvaged:
    """The rows that could be read, by table and number."""

    def __init__(self, connection: sqlite3.Connection, scratch: Path) -> None:
        """Attach an empty file to a connection, which must be in no transaction."""
        self.readings = {name: TableReading() for name in TABLES}
        self._connection = connection
        connection.execute(f"ATTACH ? AS {SCHEMA}", (str(scratch),))
        connection.execute(f"PRAGMA {SCHEMA}.journal_mode = OFF")  # it is thrown away in any case
        connection.execute(f"PRAGMA {SCHEMA}.synchronous = OFF")
        for name, table in TABLES.items():
            columns = ", ".join([*_names(table), LACKING, _EARLIER])
            connection.execute(f"CREATE TABLE {SCHEMA}.{name} ({columns})")

    def add(self, name: str, rows: Iterable[SalvagedRow]) -> None:
        """Add rows of a table, but those whose number is taken."""
        names = [column.name for column in TABLES[name].columns]
        marks = ", ".join("?" for _ in range(len(names) + 3))
        self._connection.executemany(
            f"INSERT OR IGNORE INTO {SCHEMA}.{name} (rowid, {', '.join(_names(TABLES[name]))},"  # noqa: S608 - ours
            f" {LACKING}, {_EARLIER}) VALUES ({marks})",
            (
                [row.rowid, *map(row.values.get, names), _lacking(row, names), row.is_earlier]
                for row in rows
            ),
        )

    def change(self, name: str, rowid: int, values: Mapping[str, Any]) -> None:
        """Give a row these values, with which it is whole."""
        changes = "".join(f'"{column}" = ?, ' for column in values)
        self._connection.execute(
            f"UPDATE {SCHEMA}.{name} SET {changes}{LACKING} = NULL WHERE rowid = ?",  # noqa: S608 - ours
            (*values.values(), rowid),
        )

    def value(self, name: str, rowid: int, column: str) -> tuple[Any] | None:
        """Return one value of a row in a tuple; None when there is no row with this number."""
        found: tuple[Any] | None = self._connection.execute(
            f'SELECT "{column}" FROM {SCHEMA}.{name} WHERE rowid = ?',  # noqa: S608 - ours
            (rowid,),
        ).fetchone()
        return found

    def rows(self, name: str, condition: str = "TRUE") -> Iterator[SalvagedRow]:
        """Yield the rows of a table that meet a condition, oldest first.

        A row that was yielded may be changed meanwhile.
        """
        names = [column.name for column in TABLES[name].columns]
        found = self._connection.execute(
            f"SELECT rowid, {', '.join(_names(TABLES[name]))}, {LACKING}, {_EARLIER}"  # noqa: S608 - ours
            f" FROM {SCHEMA}.{name} WHERE {condition} ORDER BY rowid"
        )
        for rowid, *values, lacking, earlier in found:
            row = _row_of(rowid, dict(zip(names, values, strict=True)), lacking)
            yield replace(row, is_earlier=True) if earlier else row


def _names(table: Table) -> list[str]:
    return [f'"{column.name}"' for column in table.columns]


def _lacking(row: SalvagedRow, names: list[str]) -> str | None:
    """Return the columns that cannot be read, as JSON with what can be read in part."""
    if len(row.values) == len(names):
        return None
    return json.dumps({name: row.partly.get(name) for name in names if name not in row.values})


def _row_of(rowid: int, values: dict[str, Any], lacking: str | None) -> SalvagedRow:
    if lacking is None:
        return SalvagedRow(rowid, values)
    partly = json.loads(lacking)
    for name in partly:
        del values[name]
    return SalvagedRow(
        rowid, values, {name: text for name, text in partly.items() if text is not None}
    )


LOG: Final = ("review", "attempt", "practice_step", "concept_change", "wording")
"""The tables whose rows are only added, so that no row of theirs can be out of date."""

_SHAPES: Final[Mapping[int, Sequence[tuple[str, Sequence[Column[Any]]]]]] = {
    count: [
        (name, list(each.columns)) for name, each in TABLES.items() if len(each.columns) == count
    ]
    for count in {len(table.columns) for table in TABLES.values()}
}
"""The tables by how many columns they have."""

_READERS = {column: handling(column.type)[2] for each in TABLES.values() for column in each.columns}

_ROWIDS = frozenset(
    column
    for table in TABLES.values()
    for column in table.primary_key.columns
    if len(table.primary_key.columns) == 1 and isinstance(column.type, types.Integer)
)
"""Columns that are another name of the row's number, which is stored only once."""

_MOST_BAD = 2  # values of a row that cannot be read; with more, it is no row of this table
_MANY = 5  # columns; a row of fewer is told from others only when all of it can be read
_MOST_PROBES = 200_000  # rows asked for one by one
_ROWS_ON_A_PAGE = 100  # more than there can be in any table that is read row by row

MEMORY: Final = frozenset(TABLES["item"].columns[name] for name in MEMORY_COLUMNS)
"""Columns that are worked out anew, so that they need not be readable."""

_WORDS: Final[Mapping[tuple[str, str], frozenset[Any]]] = {
    ("concept", "state"): frozenset(STATES),
    ("item", "kind"): frozenset({"card", "drill"}),
    ("practice_step", "kind"): frozenset({"began", "hint", "revealed", "kept", "left"}),
    ("review", "rating"): frozenset({1, 2, 3, 4}),
}
"""The only values that some columns may have."""


def salvage(database: Path, log: Path, found: Salvaged) -> None:
    """Find what is left in a database file and its log.

    Give copies in a folder that nobody else uses: SQLite changes what is beside a database that it
    reads, and a file is added. Raises sqlite3.Error when what is found cannot be kept.
    """
    with closing(pages.Image(database, log)) as image:
        joined = database.with_name(f"{database.name}-joined")
        image.write(joined)
        found.readings.update(_read_by_sqlite(joined, len(image), found))
        if image.is_torn:  # then SQLite sees other pages, which may lead to other rows
            _read_by_sqlite(database, len(image), found)
        _take(pages.table_rows(image), found)
        _take(pages.earlier_rows(image), found, are_earlier=True)  # last: for rows nowhere else


def _take(rows: Iterable[pages.StoredRow], found: Salvaged, *, are_earlier: bool = False) -> None:
    """Add the rows from pages that were not read yet, and that were not deleted."""
    for stored in rows:
        recognised = None if _is_known(stored, found) else _recognise(stored)
        if recognised is None:
            continue
        name, row = recognised
        if name in LOG:
            found.add(name, [row])
        elif not found.readings[name].complete:
            found.add(name, [replace(row, is_earlier=are_earlier)])


# -- through SQLite --------------------------------------------------------------------------------

_FAILURES = (sqlite3.Error, ValueError, OverflowError, MemoryError)


def _read_by_sqlite(database: Path, page_count: int, found: Salvaged) -> dict[str, TableReading]:
    with closing(sqlite3.connect(database)) as connection:
        connection.text_factory = bytes
        return {
            name: _read_table(connection, table, page_count, found)
            for name, table in TABLES.items()
        }


def _read_table(
    connection: sqlite3.Connection, table: Table, page_count: int, found: Salvaged
) -> TableReading:
    columns = _columns_in_file(connection, table)
    if not columns:
        return TableReading()
    reader = _Reader(connection, table, columns, found)
    first = reader.take("ORDER BY rowid")
    if first is None:
        reader.reading.complete = not reader.reading.unusable
        return reader.reading
    end = reader.take("ORDER BY rowid DESC")
    if end is None:
        return reader.reading
    most = min(_MOST_PROBES, page_count * _ROWS_ON_A_PAGE)
    for rowid in range(first + 1, min(end or first + most, first + most)):
        reader.take("WHERE rowid = ?", rowid)
    return reader.reading


class _Reader:
    """Reads one table of a damaged database."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        table: Table,
        columns: Mapping[str, Column[Any]],  # ours by their names in the file
        found: Salvaged,
    ) -> None:
        self.reading = TableReading()
        self._connection = connection
        self._name = table.name
        self._columns = list(columns.values())
        self._found = found
        names = ", ".join(f'"{name}"' for name in columns)
        self._select = f'SELECT rowid, {names} FROM "{table.name}" NOT INDEXED'  # noqa: S608 - our tables
        self._failed_after: int | None = None

    def take(self, condition: str, *given: int) -> int | None:
        """Take rows until one cannot be read. Return the last rowid, None when that was all."""
        self._failed_after = None
        self._found.add(self._name, self._rows(condition, given))
        return self._failed_after

    def _rows(self, condition: str, given: Sequence[int]) -> Iterator[SalvagedRow]:
        last = 0
        try:
            for rowid, *values in self._connection.execute(f"{self._select} {condition}", given):
                last = rowid
                row = _row(rowid, self._columns, values)
                if row is not None:
                    yield row
                elif self._found.value(self._name, rowid, "rowid") is None:
                    self.reading.unusable += 1
        except _FAILURES:
            self._failed_after = last


def _columns_in_file(connection: sqlite3.Connection, table: Table) -> dict[str, Column[Any]]:
    """Return our columns by their names in the file, which damage may have changed."""
    ours = list(table.columns)
    try:
        told = connection.execute(f'PRAGMA table_info("{table.name}")').fetchall()
        names = [name.decode() for _, name, *_ in told]
    except _FAILURES:
        return {}
    if len(names) == len(ours):
        return dict(zip(names, ours, strict=True))
    return {column.name: column for column in ours if column.name in names}


# -- rows and values -------------------------------------------------------------------------------


def _is_known(stored: pages.StoredRow, found: Salvaged) -> bool:
    """Tell whether a row from a page was read already, by its number and first value."""
    for name, columns in _SHAPES.get(len(stored.values), ()):
        known = found.value(name, stored.rowid, columns[1].name)
        if known is not None:
            (value,) = known
            if stored.values[1] == (value.encode() if isinstance(value, str) else value):
                return True
    return False


def _recognise(stored: pages.StoredRow) -> tuple[str, SalvagedRow] | None:
    """Return the table that a row from a page belongs to, by its values, and the row."""
    fitting: list[tuple[int, str, SalvagedRow]] = []
    for name, columns in _SHAPES.get(len(stored.values), ()):
        values = [
            stored.rowid if value is None and column in _ROWIDS else value
            for column, value in zip(columns, stored.values, strict=True)
        ]
        row = _row(stored.rowid, columns, values)
        if row is not None:
            fitting.append((len(columns) - len(row.values), name, row))
    if not fitting:
        return None
    _, name, row = min(fitting, key=lambda each: each[0])
    return name, row


def _row(rowid: int, columns: Sequence[Column[Any]], stored: Sequence[Value]) -> SalvagedRow | None:
    """Return a row of a table, or None when too many of its values are none of its columns'."""
    values: dict[str, Any] = {}
    partly: dict[str, str] = {}
    for column, value in zip(columns, stored, strict=True):
        try:
            values[column.name] = _usable(column, value)
        except (ValueError, TypeError, RecursionError):
            if isinstance(value, bytes) and isinstance(column.type, types.String):
                partly[column.name] = value.decode(errors="replace")
    bad = sum(column.name not in values and column not in MEMORY for column in columns)
    if bad > (_MOST_BAD if len(columns) >= _MANY else 0):
        return None
    return SalvagedRow(rowid, values, partly)


def _usable(column: Column[Any], stored: Value) -> Any:
    """Return a value as it is stored now. Raises ValueError or TypeError for one that is none."""
    if stored is None:
        if column.nullable:
            return None
        raise ValueError("a required value is missing")
    if isinstance(column.type, LogUuid | LogInstant | LogDay):
        return _READERS[column](stored)
    value: Any = stored.decode() if isinstance(stored, bytes) else stored
    if "\0" in str(value):
        raise ValueError("a text from a page that was emptied")
    _READERS[column](value)
    is_flag = isinstance(column.type, types.Boolean)
    words = _FLAG if is_flag else _WORDS.get((column.table.name, column.name), (value,))
    low, high = _RANGES.get(column.name, (value, value))
    if value not in words or not low <= value <= high:
        raise ValueError(f"{value!r} is no {column.name}")
    return value


_FLAG = (0, 1)
_RANGES: Final = {"seconds": (0, 1e9), "utc_offset": (-24 * 60, 24 * 60)}  # minutes
"""The least and the most that columns of this name may have."""
