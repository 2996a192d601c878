"""Add and change many rows of one table in one statement, each value as its column keeps it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from studyattn.store.columns import tables
from studyattn.store.search_schema import INDEXES
from studyattn.store.sql import Connection, do, driver_of, is_sqlite, rows, value

_MANY: Final = 100  # rows that are indexed together
_INDEX_OF: Final = {each.table: each for each in INDEXES}

Columns = dict[str, Any]
"""Values of one row by the names of their columns."""


def last_id(connection: Connection, table: str) -> int:
    """Return the largest row id of a table, 0 for an empty one.

    A transaction that is alone in writing may number new rows from it, so that rows which refer to
    each other can be added without reading their ids back.
    """
    key = "item_id" if table == "card" else "id"
    statement = f"SELECT coalesce(max({key}), 0) FROM {table}"  # noqa: S608 - ours
    return int(value(connection, statement))


def insert_rows(connection: Connection, table: str, added: Sequence[Columns]) -> None:
    """Add rows. All of them have the same columns."""
    if added:
        given = {name: [row[name] for row in added] for name in added[0]}
        insert_columns(connection, table, given)


def insert_columns(connection: Connection, table: str, given: Mapping[str, Sequence[Any]]) -> None:
    """Add rows whose values are given by column, in the order of the rows."""
    number = len(next(iter(given.values())))
    columns: list[str] = []
    stored: list[Iterable[Any]] = []
    for name, column in tables()[table].items():
        write = column.handled.write
        if name in given:
            values = given[name]
        elif column.default:
            values = [json.loads(column.default)] * number
        else:
            continue
        columns.append(f'"{name}"')
        stored.append(values if write is None else map(write, values))
    marks = ", ".join("?" * len(columns))
    statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 - ours
    with indexed_behind(connection, table, number), _indexed_together(connection, table, given):
        driver_of(connection).do_many(statement, zip(*stored, strict=True))


@contextmanager
def indexed_behind(connection: Connection, table: str, number: int) -> Iterator[None]:
    """Make the indexes of a table anew behind rows that are more than it has.

    That takes half the time of adding each row to them. They are away within the caller's
    transaction alone.
    """
    largest = f"SELECT coalesce(max(rowid), 0) FROM {table}"  # noqa: S608 - ours
    if number < _MANY or not is_sqlite(connection) or number < value(connection, largest):
        yield
        return
    made = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = :table"
    indexes = rows(connection, tuple[str, str], f"{made} AND sql IS NOT NULL", table=table)
    for name, _ in indexes:
        do(connection, f"DROP INDEX {name}")
    yield
    for _, definition in indexes:
        do(connection, definition)


@contextmanager
def _indexed_together(
    connection: Connection, table: str, given: Mapping[str, Sequence[Any]]
) -> Iterator[None]:
    """Index the rows that are added meanwhile in one statement, if they are many and behind others.

    FTS5 writes out all that it holds after each row that a trigger gives it, so one by one they
    take ten times as long. The trigger is away within the caller's transaction alone.
    """
    index = _INDEX_OF.get(table)
    if index is None or not is_sqlite(connection) or len(given.get(index.row, ())) < _MANY:
        yield
        return
    last = last_id(connection, table)
    made = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = :name"
    trigger = value(connection, made, name=index.adding)  # none: `db rebuild` makes the index anew
    if trigger is None or min(given[index.row]) <= last:
        yield
        return
    do(connection, f"DROP TRIGGER {index.adding}")
    yield
    columns = ", ".join(index.columns)
    for name in (index.name, index.parts):
        do(
            connection,
            f"INSERT INTO {name} (rowid, {columns})"  # noqa: S608 - names of our tables
            f" SELECT {index.row}, {columns} FROM {index.table} WHERE {index.row} > :last",
            last=last,
        )
    do(connection, trigger)


def update_rows(
    connection: Connection,
    table: str,
    key: str,
    changed: Sequence[Columns],
    condition: str = "TRUE",
) -> None:
    """Change the rows whose column `key` has the value given for it, where `condition` holds.

    All of `changed` have the same columns.
    """
    if not changed:
        return
    names = [*(name for name in changed[0] if name != key), key]
    changes = ", ".join(f'"{name}" = ?' for name in names[:-1])
    statement = f'UPDATE {table} SET {changes} WHERE "{key}" = ? AND {condition}'  # noqa: S608 - ours
    writers = [tables()[table][name].handled.write for name in names]
    driver_of(connection).do_many(
        statement,
        (
            [
                row[name] if write is None else write(row[name])
                for name, write in zip(names, writers, strict=True)
            ]
            for row in changed
        ),
    )
