"""The items of the packs' concepts, for the path: how far each is, and which are still new."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, NamedTuple

from studyattn.store.sql import Connection, Statements, rows, value

_PLACED = "SELECT name, value FROM decision WHERE kind = 'placement' AND field = 'placed'"


def placed_concepts(connection: Connection) -> set[str]:
    """Return the names, `PACK:SLUG`, of the concepts that are placed."""
    return {name for name, placed in rows(connection, tuple[str, Any], _PLACED) if placed}


_SQL = Statements(__file__)


class PathItem(NamedTuple):
    """An item that may be asked, of a concept of a pack or of one joined into it."""

    concept_id: int  # the whole concept's
    guid: str
    kind: str  # card | drill
    card_kind: str | None  # None for a drill
    phase: str
    due: datetime | None  # aware, UTC; None for a new item
    stability: float | None  # days; None for a new item
    last_review: datetime | None  # or the instant at which its memory began; None for a new item
    sibling_group: str | None


class BegunItem(NamedTuple):
    """The memory of an item that was begun, of a pack or not, and may be asked."""

    guid: str
    kind: str  # card | drill
    stability: float
    difficulty: float
    due: datetime  # aware, UTC
    last_day: date


def path_items(connection: Connection) -> list[PathItem]:
    """Return these items in the order in which a concept's are new."""
    return rows(connection, PathItem, _SQL.path_items)


def begun_items(connection: Connection, most: int) -> tuple[list[BegunItem], int]:
    """Return all begun drills, and the cards or an even part of them; and the part: one in so many.

    There are about as many cards as wanted.
    """
    every = max(1, -(-(value(connection, _SQL.count_begun) or 0) // most))
    return rows(connection, BegunItem, _SQL.begun_items, every=every), every
