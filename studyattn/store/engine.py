"""How a connection to the learner's database behaves, and what its failures are called.

What is said here of SQLite, `postgresql` says of a server; `engine_of`, `driver_beneath` and
`translate_error` find the right one. Every connection gets the same promises: foreign keys hold, a
commit is on the disk before it returns, a second process waits rather than fails. Transactions are
begun by us (`BEGIN`, `BEGIN IMMEDIATE`), not by the sqlite3 module, whose own rules leave DDL and
reads outside of them.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from sqlalchemy import URL, Connection, Engine, Pool, create_engine, event
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from studyattn.disk import full_disk
from studyattn.errors import DamagedDatabaseError, StoreError, StudyattnError
from studyattn.extras import how_to_install
from studyattn.home import Home
from studyattn.store.backup_files import restore_advice
from studyattn.store.database_file import DISK_FULL, FAILURES, OF_WRITING, damage_of
from studyattn.store.driver import Driver, SqliteDriver
from studyattn.store.hindered import hindrance
from studyattn.store.log_values import stored_uuid
from studyattn.store.sqlite_file import DamagedFileError, connect
from studyattn.store.transactions import writes

_PRAGMAS = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = FULL",  # in WAL: the log reaches the disk before a commit returns
    "PRAGMA fullfsync = ON",  # macOS: past the drive's own cache; elsewhere without effect
    "PRAGMA recursive_triggers = ON",  # INSERT OR REPLACE cannot pass append-only triggers
    "PRAGMA cache_size = -8000",  # kB: with SQLite's 2 MB a large import reads pages many times
)


def engine_of(home: Home, *, poolclass: type[Pool] | None = None) -> Engine:
    """An engine on a learner's database, file or server. Opens nothing yet.

    Raises StoreError when the package that speaks to the server is missing.
    """
    if home.server is None:
        return make_engine(home.database, poolclass=poolclass)
    engine: Engine = _postgresql().make_engine(home.server, poolclass=poolclass)
    return engine


def make_engine(
    path: Path, *, poolclass: type[Pool] | None = None, read_only: bool = False
) -> Engine:
    """An engine on one database file, or one that refuses changes. Opens nothing yet."""
    engine = create_engine(URL.create("sqlite", database=str(path)), poolclass=poolclass)
    event.listen(engine, "do_connect", lambda *_: connect(path, any_thread=True))
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    if read_only:
        event.listen(engine, "connect", _refuse_changes)
    return engine


def is_sqlite(connection: Connection) -> bool:
    """Return whether a connection's database is a file."""
    return connection.dialect.name == "sqlite"


def driver_beneath(connection: Connection) -> Driver:
    """Return the driver's own connection beneath, within the transaction of `connection`."""
    if not connection.in_transaction():
        connection.begin()
    beneath: Any = connection.connection.driver_connection
    if is_sqlite(connection):
        return SqliteDriver(beneath)
    driver: Driver = _postgresql().PostgresDriver(beneath)
    return driver


def held_driver(engine: Engine, home: Home) -> Driver:
    """A driver with a connection for itself alone, until it is closed."""
    if home.server is None:
        return _HeldSqliteDriver(engine)
    driver: Driver = _postgresql().PostgresDriver.held(engine, home.server)
    return driver


class _HeldSqliteDriver(SqliteDriver):
    """A connection for this driver alone, until it is closed."""

    failures: tuple[type[Exception], ...] = (sqlite3.Error, DBAPIError)

    def __init__(self, engine: Engine) -> None:
        self._held = engine.raw_connection()
        driver = self._held.driver_connection
        if not isinstance(driver, sqlite3.Connection):
            raise TypeError(f"the database's driver is {type(driver).__name__}, not sqlite3")
        super().__init__(driver)

    def close(self) -> None:
        self._held.close()


def _postgresql() -> ModuleType:
    try:
        from studyattn.store import postgresql
    except ImportError as error:
        raise StoreError(
            "a database on a PostgreSQL server needs the package psycopg",
            advice=how_to_install("postgresql"),
        ) from error
    return postgresql


def _prepare(driver_connection: sqlite3.Connection, _record: Any) -> None:
    driver_connection.isolation_level = None
    for pragma in _PRAGMAS:
        driver_connection.execute(pragma)
    driver_connection.create_function("stored_uuid", 1, stored_uuid, deterministic=True)


def _refuse_changes(driver_connection: sqlite3.Connection, _record: Any) -> None:
    driver_connection.execute("PRAGMA query_only = ON")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes(connection) else "BEGIN")


_DAMAGE = ("malformed", "not a database", "database corruption")

# What damage in a file can be raised as: by SQLite, SQLAlchemy, or by those who read a value.
_OF_DAMAGE = (
    sqlite3.Error,
    SQLAlchemyError,
    ValueError,  # UnicodeDecodeError and what JSON and dates raise are among them
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    MemoryError,
    RecursionError,
)


def raise_store_error(error: Exception, home: Home) -> NoReturn:
    """Raise a driver's failure as the StoreError that a learner can be told of, or as the bug."""
    known = translate_error(error, home)
    if known is None:
        raise error
    raise known from error


def translate_error(error: Exception, home: Home) -> StoreError | None:
    """Return the error a learner can be told of, or None when it is a bug of the program.

    A damaged file can lead to almost any error: text that is not UTF-8, a day that is no day, a
    column that is missing. So of an error that nothing else explains the file itself is asked.
    """
    if home.server is not None:
        told: StoreError | None = _postgresql().store_error(error, home.server)
        return told
    if isinstance(error, StudyattnError) or not isinstance(error, _OF_DAMAGE):
        return None
    if isinstance(error, DBAPIError | sqlite3.Error):
        known = store_error(error, home.database)
        if known is not None:
            return known
    findings = damage_of(home.database)
    return damaged(home.database, findings[0]) if findings else None


def store_error(error: DBAPIError | sqlite3.Error, path: Path) -> StoreError | None:
    """Translate SQLite's error with a file; None for one that it does not know."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    said = str(cause)
    if isinstance(cause, DamagedFileError) or any(sign in said for sign in _DAMAGE):
        return damaged(path, said)
    for sign, message, advice in FAILURES:
        if sign in said:
            hindered = hindrance(Home(path.parent)) if sign in OF_WRITING else None
            if sign == DISK_FULL:
                hindered = hindered or full_disk(path.parent)
            return hindered or StoreError(message, where=str(path), advice=advice)
    return None


def damaged(path: Path, finding: str) -> DamagedDatabaseError:
    """Return the error for a damaged file: its advice names the newest good backup."""
    return DamagedDatabaseError(
        f"the database is damaged ({finding})", where=str(path), advice=restore_advice(path)
    )
