"""The database's own driver: one connection, and what is asked of it.

One spelling for every database: `?` or `:name` marks a parameter, `@texts(:name)`,
`@numbers(:name)` and `@uuids(:name)` the rows of a list given as JSON. Instants and days go in and
come out as ISO text, those of the review log as `log_values` keeps them, and JSON comes out as
text. What a driver does belongs to the transaction of its connection.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any, Protocol, TypeVar

Given = Sequence[Any] | Mapping[str, Any]
Row = tuple[Any, ...]
T = TypeVar("T")

LIST = re.compile(r"@(texts|numbers|uuids)\((\S+?)\)")
"""A list in a statement: of which kind, and how it is given."""


class Json(str):
    """The text of a value of JSON."""

    __slots__ = ()


def instant_text(at: datetime) -> str:
    """Return an instant as a driver takes it, the form in which SQLite stores it."""
    if at.tzinfo is not UTC:
        if at.tzinfo is None:
            raise ValueError(f"{at!r} has no time zone: give a UTC offset")
        at = at.astimezone(UTC)
    return at.isoformat(" ", "microseconds")[:-6]  # without +00:00


def read_instant(stored: str | None) -> datetime | None:
    """Return the instant that a driver gave, aware, in UTC."""
    # A seventh of the time of `replace(tzinfo=UTC)`; a queue reads hundreds of instants.
    return None if stored is None else datetime.fromisoformat(f"{stored}+00:00")


def read_day(stored: str | None) -> date | None:
    """Return the day that a driver gave."""
    return None if stored is None else date.fromisoformat(stored)


class Driver(Protocol):
    """One connection of a driver."""

    beneath: Any
    """The connection of the driver's library."""

    dialect: str
    """The name of SQLAlchemy's dialect for it."""

    failures: tuple[type[Exception], ...]
    """What its methods raise when the database refuses or cannot be reached."""

    @property
    def lost(self) -> bool:
        """True when the connection is gone; the next statement asks for another one."""

    def one(self, statement: str, given: Given = ()) -> Row | None:
        """The first row, or None."""

    def stream(self, statement: str, given: Given = ()) -> Iterable[Row]:
        """The rows of a statement with a total order, read as far as they are asked for."""

    def every(self, statement: str, given: Given = ()) -> Sequence[Row]:
        """All rows of a statement, for one that is costly to begin and has rows for all of them."""

    def do(self, statement: str, given: Given = ()) -> int:
        """Carry out a statement without rows, and return how many rows it changed."""

    def do_many(self, statement: str, given: Iterable[Given]) -> None:
        """Carry out a statement without rows once for each of `given`."""

    def remembered(self, key: str, read: Callable[[], T]) -> T:
        """Return what `read` found the last time, unless anything in the database has changed."""

    def begin_reading(self) -> None:
        """Begin a transaction that sees one unchanging moment of the database."""

    def begin_writing(self) -> None:
        """Begin a transaction that is alone in writing."""

    def commit(self) -> None:
        """End the transaction; on return it survives a power cut."""

    def give_up(self) -> None:
        """Take the transaction back, if one has begun and the connection is still there."""

    def close(self) -> None:
        """Close the connection."""

    def __getattr__(self, name: str) -> Any:
        """Return what SQLAlchemy's connection over this one has (`core`)."""


class SqliteDriver:
    """The sqlite3 module's connection, with transactions that are begun by us."""

    failures: tuple[type[Exception], ...] = (sqlite3.Error,)
    lost = False
    dialect = "sqlite"

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.beneath = self._connection = connection
        self._writes = False
        self._moment: Any = None  # of the database, in which all of `_known` was read
        self._known: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return ask_core(self, name)

    def remembered(self, key: str, read: Callable[[], T]) -> T:
        if self._writes:  # what is read now may be taken back
            return read()
        moment = self.one("PRAGMA data_version"), self._connection.total_changes
        if moment != self._moment:  # by another connection, by this one
            self._moment, self._known = moment, {}
        if key not in self._known:
            self._known[key] = read()
        found: T = self._known[key]
        return found

    def one(self, statement: str, given: Given = ()) -> Row | None:
        row: Row | None = self._connection.execute(_spelled(statement), given).fetchone()
        return row

    def stream(self, statement: str, given: Given = ()) -> Iterable[Row]:
        return self._connection.execute(_spelled(statement), given)

    def every(self, statement: str, given: Given = ()) -> Sequence[Row]:
        return self._connection.execute(_spelled(statement), given).fetchall()

    def do(self, statement: str, given: Given = ()) -> int:
        return self._connection.execute(_spelled(statement), given).rowcount

    def do_many(self, statement: str, given: Iterable[Given]) -> None:
        self._connection.executemany(_spelled(statement), given)

    def begin_reading(self) -> None:
        self._writes = False
        self._connection.execute("BEGIN")

    def begin_writing(self) -> None:
        self._writes = True
        self._connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self._connection.execute("COMMIT")

    def give_up(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        self._connection.close()


def ask_core(driver: Driver, name: str) -> Any:
    """Return what SQLAlchemy's connection over a driver's has, within the driver's transaction.

    Alembic's migrations speak through it, and so do tests and measurements that speak through the
    models. It ends no transaction: that is left to whoever began it.
    """
    if name.startswith("_"):
        raise AttributeError(name)
    core = vars(driver).get("core")
    if core is None:
        from sqlalchemy import StaticPool, create_engine  # late: only migrations need it

        url, beneath = f"{driver.dialect}://", driver.beneath
        engine = create_engine(url, creator=lambda: beneath, poolclass=StaticPool)
        ends: Any = engine.dialect
        ends.do_begin = ends.do_commit = ends.do_rollback = lambda _connection: None
        core = vars(driver)["core"] = engine.connect()
    return core if name == "core" else getattr(core, name)


@lru_cache(maxsize=256)
def _spelled(statement: str) -> str:
    """Return our spelling of a statement as SQLite's."""
    return LIST.sub(_listed, statement)


def _listed(found: re.Match[str]) -> str:
    value = "of_hex(value)" if found[1] == "uuids" else "value"
    return f"(SELECT {value} FROM json_each({found[2]}))"  # noqa: S608 - a name
