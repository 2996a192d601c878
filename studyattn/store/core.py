"""SQLAlchemy's connection over one of ours, within its transaction, and ours beneath such a one.

Alembic's migrations speak through it, and so do tests and measurements that speak through the
models. It ends no transaction: that is left to whoever began it.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, StaticPool, create_engine

from studyattn.store.driver import Driver, SqliteDriver


def core_of(driver: Driver) -> Connection:
    """Return SQLAlchemy's connection over a driver's."""
    name = "sqlite" if isinstance(driver, SqliteDriver) else "postgresql+psycopg"
    engine = create_engine(
        f"{name}://", creator=lambda: driver.beneath, poolclass=StaticPool, **_options(driver)
    )
    dialect: Any = engine.dialect
    dialect.do_begin = dialect.do_commit = dialect.do_rollback = _leave
    return engine.connect()


def _leave(_connection: object) -> None:
    """Do nothing in the place of what would begin or end a transaction."""


def _options(driver: Driver) -> dict[str, Any]:
    if isinstance(driver, SqliteDriver):
        return {}
    from studyattn.store.postgresql import sound_json

    return {"json_serializer": sound_json}


def driver_beneath(connection: Connection) -> Driver:
    """Return a driver on the connection beneath SQLAlchemy's."""
    beneath: Any = connection.connection.driver_connection
    if connection.dialect.name == "sqlite":
        return SqliteDriver(beneath)
    from studyattn.store.postgresql import PostgresDriver

    return PostgresDriver(None, beneath)
