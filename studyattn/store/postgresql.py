"""A shared database on a PostgreSQL server: its connections, its failures, its driver.

Each learner has a schema (`ServerAddress.schema`), which is all that a connection sees. A write
takes one lock for its schema before anything else, as on SQLite a write locks the file: so whatever
holds because one process writes at a time holds here too, and learners do not wait for each other.
Imported only when a server is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, cast

import psycopg
from psycopg.adapt import Buffer
from psycopg.pq import TransactionStatus
from psycopg.types.string import StrDumperUnknown, TextLoader

from studyattn.address import ServerAddress
from studyattn.errors import StoreError
from studyattn.store.driver import LIST, Given, Json, Row, T, ask_core
from studyattn.store.transactions import PATIENCE

_CONNECTING: Final = 10  # seconds until a server that does not answer counts as not reachable
_FIRST_PORTION: Final = 100  # rows that a stream reads at first; then ten times as many
_AS_TEXT: Final = ("timestamp", "date", "json")  # types that the driver leaves as they are written


def connect(address: ServerAddress) -> psycopg.Connection[Any]:
    """Connect to a learner's schema. Raises StoreError where it belongs to another user."""
    connection = psycopg.connect(
        address.url.replace("postgresql+psycopg:", "postgresql:", 1),
        autocommit=True,  # transactions are begun by us, as on SQLite
        connect_timeout=_CONNECTING,
        application_name="studyattn",
    )
    try:
        connection.adapters.register_dumper(str, _StrDumper)
        connection.adapters.register_dumper(Json, _JsonDumper)
        connection.execute(
            "; ".join(
                (
                    f'SET search_path TO "{address.schema}"',
                    # A commit is on the server's disk before it returns.
                    "SET synchronous_commit TO on",
                    f"SET lock_timeout TO {round(PATIENCE * 1000)}",
                    "SET DateStyle TO ISO",
                )
            ).encode()
        )
        refuse_another_owner(connection.cursor(), address)
    except BaseException:
        connection.close()
        raise
    return connection


def refuse_another_owner(cursor: psycopg.Cursor[Any], address: ServerAddress) -> None:
    """Raise StoreError when the learner's schema belongs to another user of the server.

    Who owns a schema can read all that is ever written to it. Rights alone do not prevent that: the
    owner may have granted them, and a superuser needs none.
    """
    cursor.execute(_OWNER, (address.schema,))
    found = cursor.fetchone()
    if found is None:  # there is no such schema yet
        return
    owner, user = found
    if owner != user:
        raise StoreError(
            f"the learner {address.learner} belongs to the user {owner}, but you are {user}",
            where=str(address),
            advice="Choose your own learner name with --learner.",
        )


_OWNER: Final = (
    "SELECT pg_get_userbyid(nspowner), current_user FROM pg_namespace WHERE nspname = %s"
)
_READ: Final = b"BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"


def _lock(address: ServerAddress) -> bytes:
    """Begin a transaction that is alone in writing to its schema.

    Not in the isolation of a read: that would see the moment before the lock was had.
    """
    digest = sha256(address.schema.encode()).digest()
    number = int.from_bytes(digest[:8], "big", signed=True)
    begin = f"BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock({number})"
    return begin.encode()


class _JsonDumper(StrDumperUnknown):
    def dump(self, obj: str) -> Buffer | None:
        return super().dump(sound_json(json.loads(obj)))


class _StrDumper(StrDumperUnknown):
    """PostgreSQL has no place for the character NUL in a text: it becomes �, as it is shown."""

    def dump(self, obj: str) -> Buffer | None:
        return super().dump(obj.replace("\0", "\ufffd"))


def sound_json(value: Any) -> str:
    """The same of a text within JSON, and of half a character, on which its operators stumble."""
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()
    return _JSON_NUL.sub(r"\1\\ufffd", text)


_JSON_NUL: Final = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")


# ── the driver ───────────────────────────────────────────────────────────────────────────────────


class PostgresDriver:
    """psycopg's connection. If it is lost between transactions, the next one has another."""

    failures: tuple[type[Exception], ...] = (psycopg.Error,)
    dialect = "postgresql+psycopg"

    def __init__(
        self, address: ServerAddress | None, beneath: psycopg.Connection[Any] | None = None
    ) -> None:
        """Connect to a learner's schema, or use a connection within somebody else's transaction."""
        self._address = address
        if beneath is None and address is not None:
            beneath = connect(address)
        self._use(cast("psycopg.Connection[Any]", beneath))

    def _use(self, connection: psycopg.Connection[Any]) -> None:
        vars(self).pop("core", None)
        self.beneath = self._connection = connection
        self._cursor = connection.cursor()
        for name in _AS_TEXT:
            self._cursor.adapters.register_loader(name, TextLoader)

    def __getattr__(self, name: str) -> Any:
        return ask_core(self, name)

    @property
    def lost(self) -> bool:
        return self._connection.closed

    def one(self, statement: str, given: Given = ()) -> Row | None:
        self.do(statement, given)
        return cast("Row | None", self._cursor.fetchone())

    def stream(self, statement: str, given: Given = ()) -> Iterator[Row]:
        start, size = 0, _FIRST_PORTION
        while True:
            self.do(f"{statement} LIMIT {size} OFFSET {start}", given)
            portion = self._cursor.fetchall()
            yield from portion
            if len(portion) < size:
                return
            start, size = start + size, 10 * size

    def every(self, statement: str, given: Given = ()) -> Sequence[Row]:
        # To compile a long statement takes seconds, and to run it milliseconds.
        self.do("SET LOCAL jit = off")
        self.do(statement, given)
        return self._cursor.fetchall()

    def do(self, statement: str, given: Given = ()) -> int:
        self._surely(lambda: self._cursor.execute(_spelled(statement), given))
        return self._cursor.rowcount

    def do_many(self, statement: str, given: Iterable[Given]) -> None:
        self._cursor.executemany(_spelled(statement), given)

    def remembered(self, key: str, read: Callable[[], T]) -> T:  # noqa: ARG002
        # A server does not tell whether anything has changed.
        return read()

    def begin_reading(self) -> None:
        self._surely(lambda: self._cursor.execute(_READ))

    def begin_writing(self) -> None:
        if self._address is None:
            raise TypeError("the transaction is somebody else's")
        begin = _lock(self._address)
        try:
            self._surely(lambda: self._cursor.execute(begin))
        except psycopg.Error:
            self.give_up()  # it had begun, and waited for the lock
            raise

    def _surely(self, work: Callable[[], object]) -> None:
        self._reconnect()
        within = self._connection.info.transaction_status is not TransactionStatus.IDLE
        try:
            work()
        except psycopg.Error:
            if within or not self.lost:
                raise
            self._reconnect()
            work()

    def _reconnect(self) -> None:
        if self.lost and self._address is not None:
            self._use(connect(self._address))

    def commit(self) -> None:
        self._connection.commit()

    def give_up(self) -> None:
        if not self.lost:
            self._connection.rollback()

    def close(self) -> None:
        self._connection.close()


@lru_cache(maxsize=64)
def _spelled(statement: str) -> bytes:
    """Our spelling of a statement as psycopg's."""
    listed = LIST.sub(lambda found: _LISTS[found[1]].format(found[2]), statement)
    return _MARK.sub(_marked, listed.replace("%", "%%")).encode()


def _marked(found: re.Match[str]) -> str:
    if found[0] == "?":
        return "%s"
    return f"%({found[1]})s" if found[1] else found[0]


_MARK: Final = re.compile(r"'[^']*'|\?|(?<!:):(\w+)")
_LISTS: Final = {
    "texts": "(SELECT value FROM json_array_elements_text(CAST({} AS json)))",
    "uuids": "(SELECT decode(value, 'hex') FROM json_array_elements_text(CAST({} AS json)))",
    "numbers": "(SELECT CAST(value AS bigint) FROM json_array_elements_text(CAST({} AS json)))",
}


# ── what goes wrong ──────────────────────────────────────────────────────────────────────────────

_TRY_AGAIN: Final = "All confirmed answers are saved. Try again."

# The beginning of a SQLSTATE → what the learner is told, and what to do.
_STATES: Final = (
    (
        "28",
        "the server refused the user or the password",
        "Check both, PGPASSWORD and ~/.pgpass.",
    ),
    ("3D000", "there is no such database on the server", "Create it, or check the name."),
    (
        "42501",
        "the user lacks this permission in the database",
        "Its owner can allow it: GRANT CREATE ON DATABASE … TO …",
    ),
    (
        "3F000",
        "the user cannot see this learner's data",
        "Choose your own with --learner.",
    ),
    ("55P03", "another process kept it locked for too long", "Close it or wait, then try again."),
    ("40", "another process wrote at the same moment", _TRY_AGAIN),
    ("57P03", "the server is starting or shutting down", _TRY_AGAIN),
    ("57P", "the connection to the server was lost", _TRY_AGAIN),
    ("08", "the connection to the server was lost", _TRY_AGAIN),
    ("53300", "the server has too many connections", "Wait, then try again."),
    ("53100", "the server's disk is full", "Saved data is safe."),
    ("25006", "the server is currently read-only", "Ask its administrator."),
    ("22003", "a number is too large for the database", "Nothing was changed."),
)

# What libpq says where there is no connection to have a SQLSTATE → the SQLSTATE of the same.
_SAID: Final = (
    ("FATAL:  password", "28P01"),
    ("no password supplied", "28P01"),
    ("authentication", "28000"),
    ("pg_hba.conf", "28000"),
    ("FATAL:  role", "28000"),
    ("FATAL:  database", "3D000"),
    ("starting up", "57P03"),
    ("shutting down", "57P03"),
    ("FATAL:  too many", "53300"),
    ("FATAL:  sorry, too many", "53300"),
    ("unexpectedly", "08006"),
    ("connection is closed", "08006"),
    ("connection is lost", "08006"),
)


def store_error(error: Exception, address: ServerAddress) -> StoreError | None:
    """The error a learner can be told of, or None when PostgreSQL's is a bug of the program."""
    cause = getattr(error, "orig", None) or error  # what SQLAlchemy says it was raised for
    if not isinstance(cause, psycopg.Error):
        return None
    if cause.sqlstate:
        return _told(cause.sqlstate, address)
    if isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        return _told_of_connection(str(cause), address)
    if isinstance(cause, psycopg.ProgrammingError):  # without a state: of the client itself
        return StoreError(f"cannot parse this address: {cause}", where=str(address))
    return None


def _told_of_connection(said: str, address: ServerAddress) -> StoreError:
    """Translate libpq's message about a connection that was refused or lost."""
    state = next((state for sign, state in _SAID if sign in said), None)
    told = None if state is None else _told(state, address)
    if told is not None:
        return told
    why = said.strip().splitlines()[0].rpartition("failed: ")[2]
    return StoreError(
        f"the database server cannot be reached ({why[:100]})",
        where=str(address),
        advice=f"Check the address, and that the server is running. {_TRY_AGAIN}",
    )


def _told(state: str, address: ServerAddress) -> StoreError | None:
    for start, message, advice in _STATES:
        if state.startswith(start):
            return StoreError(message, where=str(address), advice=advice)
    return None
