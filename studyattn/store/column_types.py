"""The types of the tables' columns as SQLAlchemy has them; `columns` says what each keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from sqlalchemy import types
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from studyattn.store.columns import KINDS, Handled

Text = types.Text().with_variant(types.Text(collation="C"), "postgresql")
"""Text of any length, ordered by its characters' numbers, as SQLite has it."""


def String(length: int) -> types.String:  # noqa: N802 - stands where SQLAlchemy's own does
    """Text that is written in at most `length` characters; nothing checks that."""
    return types.String(length).with_variant(types.Text(collation="C"), "postgresql")


class Kept(TypeDecorator[Any]):
    """A value that is kept in another form, the same in either database."""

    kind: ClassVar[str]
    """Its kind among `columns.KINDS`."""

    def bind_processor(self, _dialect: Dialect) -> Callable[[Any], Any] | None:
        return KINDS[self.kind].write

    def result_processor(self, _dialect: Dialect, _coltype: object) -> Callable[[Any], Any] | None:
        return KINDS[self.kind].read


class UtcDateTime(Kept):
    """An instant, as naive UTC. Refuses naive values; gives back aware ones."""

    impl = types.DateTime
    cache_ok = True
    kind = "instant"


class Tags(Kept):
    """Tags, each between spaces, so that one is found as a part of the text."""

    impl = Text
    cache_ok = True
    kind = "tags"


class JsonText(Kept):
    """A JSON object as text; empty text is an empty object. PostgreSQL cannot compare JSON."""

    impl = Text
    cache_ok = True
    kind = "json-text"


class LogUuid(Kept):
    """A UUID of the review log, in the bytes that `log_values` keeps."""

    impl = types.LargeBinary
    cache_ok = True
    kind = "log-uuid"


class LogInstant(Kept):
    """An instant of the review log, as a number. Refuses naive values; gives back aware ones."""

    impl = types.BigInteger
    cache_ok = True
    kind = "log-instant"


class LogDay(Kept):
    """A learner day of the review log, as a number."""

    impl = types.Integer
    cache_ok = True
    kind = "log-day"


def kind_of(column: types.TypeEngine[Any]) -> str:
    """Return the kind of a column's type among `columns.KINDS`."""
    if isinstance(column, Kept):
        return column.kind
    kinds = {types.JSON: "json", types.Date: "date", types.Boolean: "flag", types.String: "text"}
    return next((name for kind, name in kinds.items() if isinstance(column, kind)), "number")


def handling(column: types.TypeEngine[Any]) -> Handled:
    """Return what writes, reads and checks a value of a column's type."""
    return KINDS[kind_of(column)]
