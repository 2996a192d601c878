"""What was done with drills, without code and reports: for statistics of practice.

Nothing here loads SQLAlchemy.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, NamedTuple

from studyattn.store.queries.chosen import Chosen, items_chosen
from studyattn.store.sql import Connection, Statements, read_json, rows

_SQL = Statements(__file__)


def _title(diagnosis: str) -> str | None:
    """The title in a diagnosis, whatever another program may have put there."""
    try:
        found: Any = read_json(diagnosis)
    except ValueError:
        return None
    title = found.get("title") if isinstance(found, dict) else None
    return " ".join(title.split()) if isinstance(title, str) and title.strip() else None


class DrillEvent(NamedTuple):
    """An attempt, or another step of practice such as a hint."""

    guid: str
    at: datetime  # aware, UTC
    day: date  # learner day
    seconds: float  # of work since the event before
    verdict: str | None  # of an attempt; None for another step
    hints: int  # looked at up to an attempt; 0 for another step
    revealed: bool  # the solution was seen before an attempt
    mistake: Annotated[str | None, _title]  # title of the first mistake that was recognised


def drill_events(connection: Connection, chosen: Chosen) -> list[DrillEvent]:
    """Return all events of the chosen drills, whenever they were, the earliest first."""
    among = ""
    if not chosen.all_items:
        among = f"WHERE item_guid IN (SELECT guid FROM item WHERE {items_chosen(chosen)})"  # noqa: S608 - constants
    statement = _SQL.drill_events.format(among=among)
    return rows(connection, DrillEvent, statement, **chosen.given())
