"""Changing a field of many items at once: what it is now, and giving it other values.

Each value is a decision of the learner, so the last one of several machines holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from studyattn.store.queries.decisions import decide
from studyattn.store.queries.items import set_marked, set_suspended, set_tags
from studyattn.store.sql import Connection, Statements, do, rows
from studyattn.store.tags import TagsRead
from studyattn.store.vocabulary import OWN

_SQL = Statements(__file__)


class ItemField(StrEnum):
    """A field that can be changed of many items; the value is its name among the decisions."""

    SUSPENDED = "suspended"
    MARKED = "marked"
    TAGS = "tags"
    CONCEPT = "concept"
    REMOVED = "removed"


Value = bool | str | tuple[str, ...]


class ItemNow(NamedTuple):
    """The fields of one item that can be changed."""

    guid: str
    pack: str | None
    suspended: bool
    marked: bool
    tags: TagsRead
    concept: str  # slug
    removed: bool

    @property
    def own(self) -> bool:
        """Return whether the learner made it: it is in no pack and no document."""
        return self.guid.startswith(OWN)


def read_fields(connection: Connection, ids: Sequence[int]) -> list[ItemNow]:
    """Return what can be changed of the items with these numbers."""
    return rows(connection, ItemNow, _SQL.read_fields, ids=ids)


def write_field(
    connection: Connection, field: ItemField, values: Mapping[str, Value], at: datetime
) -> None:
    """Give items, by their guids, new values of a field."""
    for guid, value in values.items():
        if field is ItemField.SUSPENDED:
            set_suspended(connection, guid, bool(value), at)
        elif field is ItemField.MARKED:
            set_marked(connection, guid, bool(value), at)
        elif field is ItemField.TAGS:
            set_tags(connection, guid, _texts(value), at)
        else:
            statement = _SQL.remove if field is ItemField.REMOVED else _SQL.move
            do(connection, statement, value=value, guid=guid)
            decide(connection, "item", guid, field.value, value, at)


def _texts(value: Value) -> Iterable[str]:
    return value if isinstance(value, tuple) else ()
