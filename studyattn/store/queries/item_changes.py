"""Changing a field of many items at once: what it is now, and giving it other values.

Each value is a decision of the learner, so the last one of several machines holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple

from sqlalchemy import Connection, select, update

from studyattn.store.models import OWN, ConceptRow, ItemRow
from studyattn.store.queries.decisions import decide
from studyattn.store.queries.items import set_marked, set_suspended, set_tags

_AT_ONCE: Final = 500  # numbers in one statement


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
    tags: tuple[str, ...]
    concept: str  # slug
    removed: bool

    @property
    def own(self) -> bool:
        """Return whether the learner made it: it is in no pack and no document."""
        return self.guid.startswith(OWN)


def read_fields(connection: Connection, ids: Sequence[int]) -> list[ItemNow]:
    """Return what can be changed of the items with these numbers."""
    statement = select(
        ItemRow.guid,
        ItemRow.pack,
        ItemRow.suspended,
        ItemRow.marked,
        ItemRow.tags,
        ConceptRow.slug,
        ItemRow.retired,
    ).join(ConceptRow, ConceptRow.id == ItemRow.concept_id)
    return [
        ItemNow(*row)
        for at in range(0, len(ids), _AT_ONCE)
        for row in connection.execute(statement.where(ItemRow.id.in_(ids[at : at + _AT_ONCE])))
    ]


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
        elif field is ItemField.REMOVED:
            _write(connection, guid, {"retired": bool(value)})
            decide(connection, "item", guid, field.value, bool(value), at)
        else:
            concept = select(ConceptRow.id).where(ConceptRow.slug == value).scalar_subquery()
            _write(connection, guid, {"concept_id": concept})
            decide(connection, "item", guid, field.value, value, at)


def _write(connection: Connection, guid: str, values: Mapping[str, object]) -> None:
    connection.execute(
        update(ItemRow)
        .where(ItemRow.guid == guid)
        .values(values)
        .execution_options(synchronize_session=None)
    )


def _texts(value: Value) -> Iterable[str]:
    return value if isinstance(value, tuple) else ()
