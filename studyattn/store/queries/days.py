"""Answers by learner day, and how long they took. Nothing here loads SQLAlchemy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from studyattn.store.driver import Readable, driver_of, read_day
from studyattn.store.queries.rules import in_effect


class TimedAnswer(NamedTuple):
    """The duration of one answer."""

    guid: str
    card_kind: str | None  # None for a drill
    seconds: float


def reviews_by_day(connection: Readable, since: date) -> Counter[date]:
    """Return how many reviews of each learner day from `since` on are in effect."""
    counts: Counter[date] = Counter()
    for day, reviews in driver_of(connection).stream(_BY_DAY, {"since": since.isoformat()}):
        if (learner_day := read_day(day)) is not None:
            counts[learner_day] = reviews
    return counts


_BY_DAY = (
    "SELECT learner_day, count(*) FROM review"  # noqa: S608 - constants
    f" WHERE learner_day >= :since AND {in_effect()} GROUP BY learner_day ORDER BY learner_day"
)


def studied_on(connection: Readable, day: date) -> bool:
    """Return whether a review of this learner day is in effect."""
    return driver_of(connection).one(_STUDIED_ON, {"day": day.isoformat()}) is not None


_STUDIED_ON = f"SELECT 1 FROM review WHERE learner_day = :day AND {in_effect()} LIMIT 1"  # noqa: S608 - constants


def timed_card_answers(connection: Readable) -> Iterator[TimedAnswer]:
    """Yield the timed answers to cards among the log's 1000 latest rows, the latest first.

    Rows further back are not read, so a log of a million rows costs no more than one of a thousand.
    """
    for guid, card_kind, seconds in driver_of(connection).stream(_TIMED_CARDS):
        yield TimedAnswer(guid, card_kind, float(seconds))


def timed_drill_answers(connection: Readable) -> Iterator[TimedAnswer]:
    """Yield the 200 latest timed ratings of drills, the latest first."""
    for guid, seconds in driver_of(connection).stream(_TIMED_DRILLS):
        yield TimedAnswer(guid, None, float(seconds))


_TIMED_CARDS = """
SELECT item.guid, card.kind, latest.seconds
FROM (SELECT id, item_guid, seconds, rating FROM review ORDER BY id DESC LIMIT 1000) AS latest
JOIN item ON item.guid = latest.item_guid
JOIN card ON card.item_id = item.id
WHERE latest.seconds > 0 AND latest.rating IS NOT NULL
ORDER BY latest.id DESC"""
_TIMED_DRILLS = """
SELECT latest.guid, latest.seconds
FROM (
    SELECT review.id, item.guid, review.seconds
    FROM item JOIN review ON review.item_guid = item.guid
    WHERE item.kind = 'drill' AND review.seconds > 0 AND review.rating IS NOT NULL
    ORDER BY review.id DESC LIMIT 200) AS latest
ORDER BY latest.id DESC"""
