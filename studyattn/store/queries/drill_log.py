"""What was done with drills, without code and reports: for statistics of practice.

Nothing here loads SQLAlchemy.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any, NamedTuple

from studyattn.store.driver import read_day, read_instant
from studyattn.store.queries.chosen import Chosen, items_chosen
from studyattn.store.readable import Readable, driver_of


class DrillEvent(NamedTuple):
    """An attempt, or another step of practice such as a hint."""

    guid: str
    at: datetime  # aware, UTC
    day: date  # learner day
    seconds: float  # of work since the event before
    verdict: str | None  # of an attempt; None for another step
    hints: int  # looked at up to an attempt; 0 for another step
    revealed: bool  # the solution was seen before an attempt
    mistake: str | None  # title of the first mistake that was recognised


def drill_events(connection: Readable, chosen: Chosen) -> Iterator[DrillEvent]:
    """Yield all events of the chosen drills, whenever they were, the earliest first."""
    among = ""
    if not chosen.all_items:
        among = f"WHERE item_guid IN (SELECT guid FROM item WHERE {items_chosen(chosen)})"  # noqa: S608 - constants
    for guid, at, day, seconds, verdict, hints, revealed, diagnosis in driver_of(connection).every(
        _EVENTS.format(among=among), chosen.given()
    ):
        instant, learner_day = read_instant(at), read_day(day)
        if instant is not None and learner_day is not None:
            yield DrillEvent(
                *(guid, instant, learner_day, seconds, verdict, hints, bool(revealed)),
                mistake=_title(diagnosis),
            )


def _title(diagnosis: str | None) -> str | None:
    """The title in a diagnosis, whatever another program may have put there."""
    try:
        found: Any = json.loads(diagnosis or "null")
    except ValueError:
        return None
    title = found.get("title") if isinstance(found, dict) else None
    return " ".join(title.split()) if isinstance(title, str) and title.strip() else None


_EVENTS = """
SELECT item_guid, at, learner_day, seconds, verdict, hints, revealed, diagnosis FROM (
    SELECT item_guid, at, learner_day, seconds, verdict, hints, revealed,
           CASE WHEN verdict <> 'passed' THEN CAST(report -> 'diagnosis' -> 0 AS TEXT) END
           AS diagnosis
    FROM attempt {among}
    UNION ALL
    SELECT item_guid, at, learner_day, seconds, NULL, 0, (0 = 1), NULL
    FROM practice_step {among}
) AS event ORDER BY at, item_guid, verdict"""
