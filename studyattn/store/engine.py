"""How a connection to the learner's database behaves, and what its failures are called.

Every connection gets the same promises: foreign keys hold, a commit is on the disk before it
returns, a second process waits rather than fails. Transactions are begun by us (`BEGIN`, `BEGIN
IMMEDIATE`), not by the sqlite3 module, whose own rules leave DDL and reads outside of them.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, cast

from sqlalchemy import URL, Connection, Engine, Pool, create_engine, event
from sqlalchemy.exc import DBAPIError

from studyattn.errors import DamagedDatabaseError, StoreError

PATIENCE = 20.0  # seconds to wait for another process's transaction

BEGIN_OPTION = "studyattn_begin"

_PRAGMAS = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = FULL",  # in WAL: the log reaches the disk before a commit returns
    "PRAGMA fullfsync = ON",  # macOS: past the drive's own cache; elsewhere without effect
    "PRAGMA recursive_triggers = ON",  # INSERT OR REPLACE cannot pass append-only triggers
)


def make_engine(path: Path, *, poolclass: type[Pool] | None = None) -> Engine:
    """An engine on one database file. Opens nothing yet."""
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": PATIENCE},
        poolclass=poolclass,
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def driver_of(connection: Connection) -> sqlite3.Connection:
    """The driver's own connection beneath, for statements that are read row by row and given up.

    Begin the transaction through `connection` first; what is done here belongs to it.
    """
    return cast(sqlite3.Connection, connection.connection.driver_connection)


def _prepare(driver_connection: sqlite3.Connection, _record: Any) -> None:
    driver_connection.isolation_level = None
    for pragma in _PRAGMAS:
        driver_connection.execute(pragma)


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(BEGIN_OPTION, "BEGIN"))


# What SQLite says, in part → what the learner is told, and what to do.
_FAILURES = (
    (
        "database is locked",
        "another process kept it locked for too long",
        "Close it or wait, then try again.",
    ),
    ("disk is full", "the disk is full", "Free some space; nothing that was saved is lost."),
    ("readonly database", "it cannot be written", "Check who owns the file and its folder."),
    ("unable to open", "it cannot be opened", "Check who owns the file and its folder."),
    ("disk I/O error", "the disk failed to read or write", "Check the disk and its free space."),
)
_DAMAGE = ("malformed", "not a database", "database corruption")


def store_error(error: DBAPIError | sqlite3.Error, path: Path) -> StoreError | None:
    """The error a learner can be told of, or None when SQLite's error is a bug of the program."""
    said = str(error.orig if isinstance(error, DBAPIError) else error)
    if any(sign in said for sign in _DAMAGE):
        from studyattn.store.backup import restore_advice

        return DamagedDatabaseError(
            f"the database is damaged ({said})", where=str(path), advice=restore_advice(path)
        )
    for sign, message, advice in _FAILURES:
        if sign in said:
            return StoreError(message, where=str(path), advice=advice)
    return None
