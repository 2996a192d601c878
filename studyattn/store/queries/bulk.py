"""Add and change many rows of one table in one statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, func, insert, select, update

from studyattn.store.models import Base

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
    if rows:
        connection.execute(insert(table), rows)


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
