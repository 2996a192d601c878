"""Items as they are remembered now, as far as statistics need them, and when they were added.

Nothing here loads SQLAlchemy.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple

from studyattn.store.queries.chosen import Chosen, items_chosen
from studyattn.store.sql import Connection, Statements, rows, values

_SQL = Statements(__file__)


class ItemNow(NamedTuple):
    """An item that is not retired."""

    guid: str
    kind: str  # card | drill
    concept: str  # slug of its concept, or of the one that this was joined into
    phase: str  # new | learning | review | relearning
    stability: float | None  # days; None for one that is new
    difficulty: float | None  # 1 to 10
    due: datetime | None  # aware, UTC
    last_review: datetime | None
    last_day: date | None
    suspended: bool
    buried_until: date | None


def items_now(connection: Connection, chosen: Chosen) -> list[ItemNow]:
    """Return the chosen items, whenever they were answered."""
    return rows(connection, ItemNow, _of(_SQL.items_now, chosen), **chosen.given())


def _of(statement: str, chosen: Chosen) -> str:
    return statement.format(items=items_chosen(chosen))


class Added(NamedTuple):
    """Items that came into the database at one instant."""

    at: datetime  # aware, UTC
    items: int


def items_added(connection: Connection, chosen: Chosen) -> list[Added]:
    """Return when the chosen items were added, those that are retired too."""
    return rows(connection, Added, _of(_SQL.items_added, chosen), **chosen.given())


def concept_titles(connection: Connection) -> dict[str, str]:
    """Return the titles of concepts by slug."""
    return dict(rows(connection, tuple[str, str], _SQL.concept_titles))


def tags_of_items(connection: Connection) -> list[str]:
    """Return the tags that items have, in order."""
    return sorted({tag for tags in values(connection, _SQL.tags) for tag in tags.split()})
