"""Statements by their names, and rows by their types: how this room speaks SQL.

A statement stands in a `.sql` file beside the module of its subject, under a line `-- its name`.
In it `:name` is a value, and `@name(…)` a part: of the same file, of `queries.rules` or of that
module. One spelling serves SQLite and PostgreSQL: `@texts(:name)` and `@numbers(:name)`, the rows
of a list, are what each spells in its own way (`driver`). A row becomes a NamedTuple, a dataclass
or a tuple whose annotations say how each value is read. Nothing here loads SQLAlchemy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar, cast, get_args, get_origin
from typing import get_type_hints as hints_of

from studyattn.store.driver import (
    Driver,
    Json,
    Row,
    SqliteDriver,
    instant_text,
    read_day,
    read_instant,
)
from studyattn.store.queries import rules

if TYPE_CHECKING:
    from sqlalchemy import Connection as Core

Connection: TypeAlias = "Core | Driver"
"""What a statement is asked of."""

T = TypeVar("T")

_NAMED = re.compile(r"^-- (\w+)$", re.MULTILINE)
_COMMENT = re.compile(r"^--.*$", re.MULTILINE)
_PART = re.compile(r"@(?!texts|numbers|uuids)(\w+)(?:\(([^()]*)\))?")


class Statements:
    """The statements of one file, as attributes."""

    def __init__(self, module: str, **parts: str | Callable[..., str]) -> None:
        """Read the file beside a module, whose `__file__` is given; `parts` are the module's."""
        _, *texts = _NAMED.split(Path(module).with_suffix(".sql").read_text("utf-8"))
        self._texts = dict(zip(texts[::2], texts[1::2], strict=True))
        self._parts = parts

    def __getattr__(self, name: str) -> str:
        if name not in self._texts:
            raise AttributeError(name)
        statement = _PART.sub(self._part, _COMMENT.sub("", self._texts[name])).strip()
        setattr(self, name, statement)
        return statement

    def _part(self, found: re.Match[str]) -> str:
        name, given = found[1], found[2]
        if name in self._texts:
            return str(getattr(self, name))
        part = self._parts.get(name) or getattr(rules, name)
        return part if isinstance(part, str) else part(*re.split(", *", given))


def rows(connection: Connection, kind: type[T], statement: str, /, **given: Any) -> list[T]:
    """Return all rows of a statement."""
    return list(map(_maker(kind), driver_of(connection).every(statement, as_stored(given))))


def stream(connection: Connection, kind: type[T], statement: str, /, **given: Any) -> Iterator[T]:
    """Yield the rows of a statement with a total order, reading no further than they are taken."""
    return map(_maker(kind), driver_of(connection).stream(statement, as_stored(given)))


def row(connection: Connection, kind: type[T], statement: str, /, **given: Any) -> T | None:
    """Return the first row of a statement, or None."""
    return make(kind, driver_of(connection).one(statement, as_stored(given)))


def make(kind: type[T], found: Row | None) -> T | None:
    """Return a row of a kind from what a driver gives for one."""
    return None if found is None else cast("T", _maker(kind)(found))


def values(connection: Connection, statement: str, /, **given: Any) -> list[Any]:
    """Return the first value of each row of a statement, as it is stored."""
    return [first for first, *_ in driver_of(connection).every(statement, as_stored(given))]


def value(connection: Connection, statement: str, /, **given: Any) -> Any:
    """Return the first value of the first row of a statement, as it is stored; None without one."""
    found = driver_of(connection).one(statement, as_stored(given))
    return None if found is None else found[0]


def do(connection: Connection, statement: str, /, **given: Any) -> int:
    """Carry out a statement without rows, and return how many rows it changed."""
    return driver_of(connection).do(statement, as_stored(given))


def do_many(connection: Connection, statement: str, given: Iterable[Mapping[str, Any]]) -> None:
    """Carry out a statement without rows once for each of `given`."""
    driver_of(connection).do_many(statement, map(as_stored, given))


def insert(connection: Connection, table: str, **columns: Any) -> None:
    """Add a row, all of whose columns are given but those that have a default in the database."""
    marks = ", ".join(f":{name}" for name in columns)
    statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 - ours
    do(connection, statement, **columns)


def driver_of(connection: Connection) -> Driver:
    """Return the driver beneath a connection, within its transaction."""
    if hasattr(type(connection), "begin_writing"):
        return cast("Driver", connection)
    core = cast("Core", connection)
    beneath: Any = core.connection.driver_connection
    if core.dialect.name == "sqlite":
        return SqliteDriver(beneath)
    from studyattn.store.postgresql import PostgresDriver

    return PostgresDriver(None, beneath)


def is_sqlite(connection: Connection) -> bool:
    """Return whether a connection's database is a file."""
    return isinstance(driver_of(connection), SqliteDriver)


# ── values ───────────────────────────────────────────────────────────────────────────────────────


def as_json(value: Any) -> Json:
    """Return a value as a column of JSON takes it; None, too, is a value there."""
    return _NOTHING if value == {} else Json(json.dumps(value))


_NOTHING = Json("{}")


def as_stored(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as drivers take them, by name: instants and days as text, lists as JSON."""
    return {name: _stored(value) for name, value in given.items()}


def _stored(value: Any) -> Any:
    convert = _STORED.get(type(value))
    if convert is not None:
        return convert(value)
    is_list = isinstance(value, Collection) and not isinstance(value, str | bytes)
    return as_json(list(value)) if is_list else value


_STORED: Mapping[type, Callable[[Any], Any]] = {
    datetime: instant_text,
    date: date.isoformat,
    dict: as_json,
}


def read_json(stored: Any) -> Any:
    """Return the value of a column of JSON.

    SQLite keeps a number in one as a number. An empty text is an empty object.
    """
    return json.loads(stored or "{}") if isinstance(stored, str) else stored


_READERS: Mapping[Any, Callable[[Any], Any]] = {
    datetime: read_instant,
    date: read_day,
    bool: bool,
    Mapping: read_json,
    Sequence: read_json,
    dict: read_json,
    Any: read_json,
}
"""What reads a value of a type. An annotation's own comes first: `Annotated[tuple, read_tags]`."""


def _maker_of(kind: Any) -> Callable[[Row], Any]:
    """Return what makes a row of a kind from the values that a driver gives."""
    readers, nested = _places(kind, 0)
    make = _construct(kind)
    if not readers and not nested:
        return make

    def made(found: Row) -> Any:
        values = list(found)
        for place, read in readers:
            if values[place] is not None:
                values[place] = read(values[place])
        for start, end, part in nested:
            values[start:end] = [part(values[start:end])]
        return make(values)

    return made


_maker: Callable[[Any], Callable[[Row], Any]] = cache(_maker_of)


_FIELDS = ("_fields", "__dataclass_fields__", "__struct_fields__")
"""By one of these a type that is a row itself is known."""


def _construct(kind: Any) -> Callable[[Iterable[Any]], Any]:
    if get_origin(kind) is tuple:
        return tuple
    made: Callable[[Iterable[Any]], Any] | None = getattr(kind, "_make", None)
    return made or (lambda values: kind(*values))


_Readers = list[tuple[int, Callable[[Any], Any]]]
_Nested = list[tuple[int, int, Callable[[Iterable[Any]], Any]]]


def _places(kind: Any, start: int) -> tuple[_Readers, _Nested]:
    """Return where in a row are values to read, and parts that are rows themselves, last first."""
    readers: _Readers = []
    nested: _Nested = []
    of_tuple = get_origin(kind) is tuple
    fields = get_args(kind) if of_tuple else hints_of(kind, include_extras=True).values()
    for field in fields:
        if any(hasattr(field, fields) for fields in _FIELDS):
            inner, deeper = _places(field, start)
            readers += inner
            end = start + len(hints_of(field))
            nested = [(start, end, _construct(field)), *deeper, *nested]
            start = end
        else:
            read = _reader(field)
            if read is not None:
                readers.append((start, read))
            start += 1
    return readers, nested


def _reader(field: Any) -> Callable[[Any], Any] | None:
    if get_origin(field) is Annotated:
        own = field.__metadata__[0]
        return own if callable(own) else _reader(field.__origin__)
    if NoneType in get_args(field):
        (field,) = (each for each in get_args(field) if each is not NoneType)
        return _reader(field)
    return _READERS.get(get_origin(field) or field)
