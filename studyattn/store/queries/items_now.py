"""Items as they are remembered now, as far as statistics need them, and when they were added.

Nothing here loads SQLAlchemy.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple

from studyattn.store.driver import read_day, read_instant
from studyattn.store.queries.chosen import Chosen, items_chosen
from studyattn.store.queries.rules import CONCEPT_OF_ITEM
from studyattn.store.readable import Readable, driver_of


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


def items_now(connection: Readable, chosen: Chosen) -> Iterator[ItemNow]:
    """Yield the chosen items, whenever they were answered."""
    for row in driver_of(connection).every(_NOW.format(items=items_chosen(chosen)), chosen.given()):
        guid, kind, concept, phase, stability, difficulty, due, last, day, suspended, buried = row
        yield ItemNow(
            *(guid, kind, concept, phase, stability, difficulty),
            *(read_instant(due), read_instant(last), read_day(day)),
            *(bool(suspended), read_day(buried)),
        )


_NOW = f"""
SELECT item.guid, item.kind, concept.slug, item.phase, item.stability, item.difficulty, item.due,
       item.last_review, item.last_day, item.suspended, item.buried_until
FROM item {CONCEPT_OF_ITEM}
WHERE NOT item.retired AND {{items}} ORDER BY item.id"""  # noqa: S608 - constants


class Added(NamedTuple):
    """Items that came into the database at one instant."""

    at: datetime  # aware, UTC
    items: int


def items_added(connection: Readable, chosen: Chosen) -> Iterator[Added]:
    """Yield when the chosen items were added, those that are retired too."""
    for at, items in driver_of(connection).every(
        _ADDED.format(items=items_chosen(chosen)), chosen.given()
    ):
        instant = read_instant(at)
        if instant is not None:
            yield Added(instant, items)


_ADDED = (
    "SELECT created_at, count(*) FROM item WHERE {items} GROUP BY created_at ORDER BY created_at"
)


def concept_titles(connection: Readable) -> dict[str, str]:
    """Return the titles of concepts by slug."""
    return dict(driver_of(connection).every("SELECT slug, title FROM concept ORDER BY id"))


def tags_of_items(connection: Readable) -> list[str]:
    """Return the tags that items have, in order."""
    rows = driver_of(connection).every(
        "SELECT DISTINCT tags FROM item WHERE tags <> '' ORDER BY tags"
    )
    return sorted({tag for (tags,) in rows for tag in tags.split()})
