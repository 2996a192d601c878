"""The rows that were salvaged of a damaged database, in a scratch SQLite file.

A log of a million rows is never held in memory. The file is attached to the new database, so that
`joining` can compare the two in statements. What a row is made of is found out by `salvage`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Table

from studyattn.store.models import Base

TABLES: Final[Mapping[str, Table]] = {table.name: table for table in Base.metadata.sorted_tables}

SCHEMA: Final = "salvaged"
"""The name by which statements know the scratch file."""

LACKING: Final = "lacking"
"""The column of the scratch tables that is NULL in a whole row."""

_EARLIER: Final = "is_earlier"


@dataclass(frozen=True, slots=True)
class Row:
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
class Reading:
    """How one table could be read."""

    unusable: int = 0  # rows that SQLite reads, but that are none of this table
    complete: bool = False  # SQLite read it from one end to the other


class Salvaged:
    """The rows that could be read, by table and number."""

    def __init__(self, connection: sqlite3.Connection, scratch: Path) -> None:
        """Attach an empty file to a connection, which must be in no transaction."""
        self.readings = {name: Reading() for name in TABLES}
        self._connection = connection
        connection.execute(f"ATTACH ? AS {SCHEMA}", (str(scratch),))
        connection.execute(f"PRAGMA {SCHEMA}.journal_mode = OFF")  # it is thrown away in any case
        connection.execute(f"PRAGMA {SCHEMA}.synchronous = OFF")
        for name, table in TABLES.items():
            columns = ", ".join([*_names(table), LACKING, _EARLIER])
            connection.execute(f"CREATE TABLE {SCHEMA}.{name} ({columns})")

    def add(self, name: str, rows: Iterable[Row]) -> None:
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

    def rows(self, name: str, condition: str = "TRUE") -> Iterator[Row]:
        """Yield the rows of a table that meet a condition, oldest first.

        A row that was yielded may be changed meanwhile.
        """
        names = [column.name for column in TABLES[name].columns]
        found = self._connection.execute(
            f"SELECT rowid, {', '.join(_names(TABLES[name]))}, {LACKING}, {_EARLIER}"  # noqa: S608 - ours
            f" FROM {SCHEMA}.{name} WHERE {condition} ORDER BY rowid"
        )
        for rowid, *values, lacking, earlier in found:
            row = _row(rowid, dict(zip(names, values, strict=True)), lacking)
            yield replace(row, is_earlier=True) if earlier else row


def _names(table: Table) -> list[str]:
    return [f'"{column.name}"' for column in table.columns]


def _lacking(row: Row, names: list[str]) -> str | None:
    """Return the columns that cannot be read, as JSON with what can be read in part."""
    if len(row.values) == len(names):
        return None
    return json.dumps({name: row.partly.get(name) for name in names if name not in row.values})


def _row(rowid: int, values: dict[str, Any], lacking: str | None) -> Row:
    if lacking is None:
        return Row(rowid, values)
    partly = json.loads(lacking)
    for name in partly:
        del values[name]
    return Row(rowid, values, {name: text for name, text in partly.items() if text is not None})
