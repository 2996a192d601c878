"""Make connections to the learner's database, and translate their failures.

What is said here of SQLite, `postgresql` says of a server. Every connection gets the same promises:
foreign keys hold, a commit is on the disk before it returns, a second process waits rather than
fails. Transactions are begun by us (`BEGIN`, `BEGIN IMMEDIATE`), not by the sqlite3 module, whose
own rules leave DDL and reads outside of them. SQLAlchemy is loaded for migrations alone (`core`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from studyattn.disk import full_disk
from studyattn.errors import DamagedDatabaseError, StoreError, StudyattnError
from studyattn.extras import how_to_install
from studyattn.home import Home
from studyattn.store.backup_files import restore_advice
from studyattn.store.database_file import DISK_FULL, FAILURES, OF_WRITING, damage_of
from studyattn.store.driver import Driver, SqliteDriver
from studyattn.store.hindered import hindrance
from studyattn.store.sqlite_file import DamagedFileError, connect

_PRAGMAS = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = FULL",  # in WAL: the log reaches the disk before a commit returns
    "PRAGMA fullfsync = ON",  # macOS: past the drive's own cache; elsewhere without effect
    "PRAGMA recursive_triggers = ON",  # INSERT OR REPLACE cannot pass append-only triggers
    "PRAGMA cache_size = -8000",  # kB: with SQLite's 2 MB a large import reads pages many times
)


def open_driver(home: Home, *, read_only: bool = False) -> Driver:
    """Open a connection to a learner's database, file or server.

    Raises StoreError when the package that speaks to the server is missing.
    """
    if home.server is None:
        return open_file(home.database, read_only=read_only)
    driver: Driver = _postgresql().PostgresDriver(home.server)
    return driver


def open_file(path: Path, *, read_only: bool = False) -> SqliteDriver:
    """Open a connection to one database file, or one that refuses changes."""
    connection = connect(path, any_thread=True)
    try:
        connection.isolation_level = None
        for pragma in (*_PRAGMAS, *(["PRAGMA query_only = ON"] if read_only else [])):
            connection.execute(pragma)
        connection.create_function("of_hex", 1, bytes.fromhex, deterministic=True)
    except BaseException:
        connection.close()
        raise
    return SqliteDriver(connection)


@contextmanager
def transaction(driver: Driver, *, writing: bool = False) -> Iterator[Driver]:
    """One transaction: all of it is saved, or nothing. One that writes is alone in that."""
    (driver.begin_writing if writing else driver.begin_reading)()
    try:
        yield driver
        if writing:
            driver.commit()
    finally:
        driver.give_up()


@contextmanager
def opened(home: Home, *, writing: bool = False) -> Iterator[Driver]:
    """One transaction in a database as it is, which is neither checked nor migrated."""
    with closing(open_driver(home)) as driver, transaction(driver, writing=writing):
        yield driver


def _postgresql() -> ModuleType:
    try:
        from studyattn.store import postgresql
    except ImportError as error:
        raise StoreError(
            "a database on a PostgreSQL server needs the package psycopg",
            advice=how_to_install("postgresql"),
        ) from error
    return postgresql


_DAMAGE = ("malformed", "not a database", "database corruption")

# What damage in a file can be raised as: by SQLite, or by those who read a value.
_OF_DAMAGE = (
    sqlite3.Error,
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
    cause = getattr(error, "orig", None) or error  # what SQLAlchemy says it was raised for
    if isinstance(error, StudyattnError) or not isinstance(cause, _OF_DAMAGE):
        return None
    if isinstance(cause, sqlite3.Error):
        known = store_error(cause, home.database)
        if known is not None:
            return known
    findings = damage_of(home.database)
    return damaged(home.database, findings[0]) if findings else None


def store_error(error: sqlite3.Error, path: Path) -> StoreError | None:
    """Translate SQLite's error with a file; None for one that it does not know."""
    said = str(error)
    if isinstance(error, DamagedFileError) or any(sign in said for sign in _DAMAGE):
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
