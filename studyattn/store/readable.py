"""What statements of a start read from: SQLAlchemy's connection, or a driver without SQLAlchemy."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from studyattn.store.driver import Driver, SqliteDriver

if TYPE_CHECKING:
    from sqlalchemy import Connection

Readable: TypeAlias = "Connection | SqliteDriver"


def driver_of(connection: Readable) -> Driver:
    """Return the driver beneath a connection, within its transaction."""
    if isinstance(connection, SqliteDriver):
        return connection
    from studyattn.store.engine import driver_beneath  # it loads SQLAlchemy, as the caller has

    return driver_beneath(connection)
