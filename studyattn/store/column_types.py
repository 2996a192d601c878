"""The types of the tables' columns: how each keeps its values, reads and checks them."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any, ClassVar

from sqlalchemy import types
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from studyattn.store import log_values
from studyattn.store.driver import instant_text, read_day, read_instant
from studyattn.store.sql import as_json, read_json
from studyattn.store.tags import read_tags, stored_tags

Text = types.Text().with_variant(types.Text(collation="C"), "postgresql")
"""Text of any length, ordered by its characters' numbers, as SQLite has it."""


def String(length: int) -> types.String:  # noqa: N802 - stands where SQLAlchemy's own does
    """Text that is written in at most `length` characters; nothing checks that."""
    return types.String(length).with_variant(types.Text(collation="C"), "postgresql")


def _aware(value: datetime) -> str:
    if value.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone: give a UTC offset")
    return instant_text(value)


def _read_aware(stored: Any) -> datetime | None:
    """Return an instant; psycopg gives one where SQLite's driver gives text."""
    return stored.replace(tzinfo=UTC) if isinstance(stored, datetime) else read_instant(stored)


def _write_json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) if value else ""


def _checked_json(stored: str) -> Any:
    return json.loads(stored or "{}")


def _checked_instant(stored: str) -> datetime:
    return datetime.fromisoformat(stored)


def _checked_text(stored: object) -> None:
    if not isinstance(stored, str):
        raise TypeError(f"{stored!r} is not text")


def _checked_number(stored: object) -> None:
    if not isinstance(stored, int | float):
        raise TypeError(f"{stored!r} is not a number")


class Kept(TypeDecorator[Any]):
    """A value that is kept in another form, the same in either database."""

    write: ClassVar[Callable[[Any], Any]]
    """Makes what is kept of a value."""
    read: ClassVar[Callable[[Any], Any]]
    check: ClassVar[Callable[[Any], Any]]
    """Returns what is found in a file as it is kept now. Raises ValueError or TypeError."""

    def bind_processor(self, _dialect: Dialect) -> Callable[[Any], Any]:
        return _if_any(type(self).write)

    def result_processor(self, _dialect: Dialect, _coltype: object) -> Callable[[Any], Any]:
        return _if_any(type(self).read)


def _if_any(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else convert(value)


class UtcDateTime(Kept):
    """An instant, as naive UTC. Refuses naive values; gives back aware ones."""

    impl = types.DateTime
    cache_ok = True
    write, read, check = _aware, _read_aware, _checked_instant


class Tags(Kept):
    """Tags, each between spaces, so that one is found as a part of the text."""

    impl = Text
    cache_ok = True
    write, read, check = stored_tags, read_tags, _checked_text


class JsonText(Kept):
    """A JSON object as text; empty text is an empty object. PostgreSQL cannot compare JSON."""

    impl = Text
    cache_ok = True
    write, read, check = _write_json, read_json, _checked_json


class LogUuid(Kept):
    """A UUID of the review log, in the bytes that `log_values` keeps."""

    impl = types.LargeBinary
    cache_ok = True
    write, read = log_values.stored_uuid, log_values.read_uuid
    check = log_values.uuid_as_stored


class LogInstant(Kept):
    """An instant of the review log, as a number. Refuses naive values; gives back aware ones."""

    impl = types.BigInteger
    cache_ok = True
    write, read = log_values.stored_instant, log_values.read_stored_instant
    check = log_values.instant_as_stored


class LogDay(Kept):
    """A learner day of the review log, as a number."""

    impl = types.Integer
    cache_ok = True
    write, read = log_values.stored_day, log_values.read_stored_day
    check = log_values.day_as_stored


Handled = tuple[Callable[[Any], Any] | None, Callable[[Any], Any] | None, Callable[[Any], Any]]


def handling(kind: types.TypeEngine[Any]) -> Handled:
    """Return what writes, reads and checks a value of a column's type; None leaves it as it is."""
    if isinstance(kind, Kept):
        return _if_any(type(kind).write), _if_any(type(kind).read), type(kind).check
    if isinstance(kind, types.JSON):
        return as_json, read_json, json.loads
    if isinstance(kind, types.Date):
        return _if_any(date.isoformat), read_day, date.fromisoformat
    if isinstance(kind, types.Boolean):
        return bool, bool, _checked_number
    return None, None, _checked_text if isinstance(kind, types.String) else _checked_number
