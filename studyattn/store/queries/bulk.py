"""Add and change many rows of one table in one statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, bindparam, func, insert, select, update

from studyattn.store.engine import is_sqlite
from studyattn.store.models import Base
from studyattn.store.search_schema import INDEXES

_MANY: Final = 100  # rows that are indexed together
_INDEX_OF: Final = {each.table: each for each in INDEXES}

Columns = dict[str, Any]
"""Values of one row by the names of their columns."""


def last_id(connection: Connection, table: type[Base]) -> int:
    """Return the largest row id of a table, 0 for an empty one.

    A transaction that is alone in writing may number new rows from it, so that rows which refer to
    each other can be added without reading their ids back.
    """
    id_ = table.__mapper__.primary_key[0]
    return int(connection.scalar(select(func.max(id_))) or 0)


def insert_rows(connection: Connection, table: type[Base], rows: Sequence[Columns]) -> None:
    """Add rows. All of them have the same columns."""
    if not rows:
        return
    given = rows[0].keys()
    others = [
        (column.name, column.default)
        for column in table.__table__.columns
        if column.name not in given and column.default is not None
    ]
    if not is_sqlite(connection) or not all(default.is_scalar for _, default in others):
        connection.execute(insert(table), rows)
        return
    # Each value is converted by its column's type and given to the driver: SQLAlchemy's own way
    # through a statement takes several times as long for many rows.
    defaults: Columns = {name: getattr(default, "arg", None) for name, default in others}
    names = [*given, *defaults]
    dialect = connection.dialect
    converters = [
        table.__table__.columns[name].type.dialect_impl(dialect).bind_processor(dialect)
        for name in names
    ]
    columns: list[Iterable[object]] = []
    for name, convert in zip(names, converters, strict=True):
        if name not in given:
            value = defaults[name]
            columns.append(repeat(value if convert is None else convert(value), len(rows)))
        elif convert is None:
            columns.append([row[name] for row in rows])
        else:
            columns.append([convert(row[name]) for row in rows])
    quoted = ", ".join(f'"{name}"' for name in names)
    marks = ", ".join("?" * len(names))
    with _indexed_together(connection, table, rows):
        connection.exec_driver_sql(
            f'INSERT INTO "{table.__tablename__}" ({quoted}) VALUES ({marks})',  # noqa: S608 - names of our tables
            list(zip(*columns, strict=True)),
        )


@contextmanager
def _indexed_together(
    connection: Connection, table: type[Base], rows: Sequence[Columns]
) -> Iterator[None]:
    """Index the rows that are added meanwhile in one statement, if they are many and behind others.

    FTS5 writes out all that it holds after each row that a trigger gives it, so one by one they
    take ten times as long. The trigger is away within the caller's transaction alone.
    """
    index = _INDEX_OF.get(table.__tablename__)
    if index is None or len(rows) < _MANY:
        yield
        return
    last = last_id(connection, table)
    if min(row.get(index.row, 0) for row in rows) <= last:
        yield
        return
    trigger = connection.exec_driver_sql(
        "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?", (index.adding,)
    ).scalar_one_or_none()
    if trigger is None:  # the index is broken, and `db rebuild` makes it anew
        yield
        return
    connection.exec_driver_sql(f"DROP TRIGGER {index.adding}")
    yield
    columns = ", ".join(index.columns)
    for name in (index.name, index.parts):
        connection.exec_driver_sql(
            f"INSERT INTO {name} (rowid, {columns})"  # noqa: S608 - names of our tables
            f" SELECT {index.row}, {columns} FROM {index.table} WHERE {index.row} > ?",
            (last,),
        )
    connection.exec_driver_sql(trigger)


def update_rows(
    connection: Connection,
    table: type[Base],
    key: str,
    rows: Sequence[Columns],
    *conditions: ColumnElement[bool],
) -> None:
    """Change the rows whose column `key` has the value given for it, where `conditions` hold.

    All of `rows` have the same columns.
    """
    if not rows:
        return
    columns: Columns = {name: bindparam(f"new_{name}") for name in rows[0] if name != key}
    statement = update(table).where(getattr(table, key) == bindparam("of_row"), *conditions)
    connection.execute(
        statement.values(columns),
        [{"of_row": row[key], **{f"new_{name}": row[name] for name in columns}} for row in rows],
    )
