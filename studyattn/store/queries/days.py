"""Answers by learner day: the log's totals, kept so that looking back does not read the log again.

`review_day` has the figures of each learner day, and the number of the last row of the log that was
there when they were counted. The rows behind it touch some days; from the first of these on all is
counted anew, so the figures are right whatever was added since, in any order. `keep_days` brings
the table up to date. It follows from the log alone, so models, exports and recovery do not know it.
Nothing here loads SQLAlchemy.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from studyattn.store.driver import Driver, Row
from studyattn.store.log_values import read_stored_day, stored_day
from studyattn.store.queries.rules import in_effect, of_item
from studyattn.store.readable import Readable, driver_of

TABLE: Final = "review_day"


class TimedAnswer(NamedTuple):
    """How long one answer took."""

    guid: str
    card_kind: str | None  # None for a drill
    seconds: float


class SecondsRule(NamedTuple):
    """How the seconds of an answer count."""

    longest: float  # of an answer to a card; longer than that the learner was away
    drill_mark: str  # stands in the guids of drills, whose seconds all count


class DayTotal(NamedTuple):
    """The figures of one learner day; its reviews in effect by their rating."""

    day: date
    again: int
    hard: int
    good: int
    easy: int
    asked: int  # answers that measure retention: the day's first to items of an earlier day
    recalled: int  # of these
    seconds: float  # of all rows, withdrawn ones too

    @property
    def reviews(self) -> int:
        """Reviews in effect."""
        return self.again + self.hard + self.good + self.easy


def day_totals(connection: Readable, rule: SecondsRule) -> Iterator[DayTotal]:
    """Yield the learner days that have rows in the log, the latest first.

    Only the days that are taken are read, and of those only what was added since `keep_days` is
    counted.
    """
    driver = driver_of(connection)
    first = first_touched(driver, _kept_to(driver))
    if first is not None:
        for row in driver.stream(f"{_COUNT} ORDER BY learner_day DESC", _given(first, rule)):
            yield _total(row)
    for row in driver.stream(_KEPT, {"first": _AFTER_ALL if first is None else first}):
        yield _total(row)


def keep_days(connection: Readable, rule: SecondsRule) -> None:
    """Count what was added to the log since the last time, within a write transaction."""
    driver = driver_of(connection)
    first = first_touched(driver, _kept_to(driver))
    if first is not None:
        driver.do("DELETE FROM review_day WHERE learner_day >= :first", {"first": first})
        driver.do(_KEEP, _given(first, rule))


def is_kept_to(connection: Readable, day: date) -> bool:
    """Return whether at most this learner day and later ones have rows that are not counted yet."""
    driver = driver_of(connection)
    first = first_touched(driver, _kept_to(driver))
    return first is None or first >= stored_day(day)


def forget_days(connection: Readable) -> None:
    """Forget what was counted, here and in `kept_answers`: all of the log is counted anew."""
    driver = driver_of(connection)
    driver.do("DELETE FROM review_day")
    driver.do("DELETE FROM review_answers")


def _given(first: int, rule: SecondsRule) -> dict[str, object]:
    return {"first": first, "longest": rule.longest, "drills": f"%{rule.drill_mark}%"}


def _total(row: Row) -> DayTotal:
    return DayTotal(read_stored_day(row[0]), *row[1:])


def _kept_to(driver: Driver) -> int:
    row = driver.one("SELECT coalesce(max(through), 0) FROM review_day")
    return 0 if row is None else int(row[0])


def first_touched(driver: Driver, kept_to: int) -> int | None:
    """Return the first learner day that rows behind this one belong to, or withdraw from."""
    row = driver.one(_FIRST_TOUCHED, {"through": kept_to})
    return None if row is None or row[0] is None else int(row[0])


# Without a minimum inside, for which SQLite would go through the days from the first one on.
_FIRST_TOUCHED = """
WITH RECURSIVE withdrawn(uuid) AS (
    SELECT withdraws FROM review WHERE id > :through AND withdraws IS NOT NULL
    UNION
    SELECT review.withdraws FROM withdrawn JOIN review ON review.uuid = withdrawn.uuid
    WHERE review.withdraws IS NOT NULL)
SELECT min(day) FROM (
    SELECT learner_day AS day FROM review WHERE id > :through
    UNION ALL
    SELECT review.learner_day FROM withdrawn JOIN review ON review.uuid = withdrawn.uuid
) AS touched"""

_FIGURES = "learner_day, again, hard, good, easy, asked, recalled, seconds"
_KEPT = f"SELECT {_FIGURES} FROM review_day WHERE learner_day < :first ORDER BY learner_day DESC"  # noqa: S608 - constants
_AFTER_ALL = stored_day(date.max)

# An item's first answer of a day measures retention if it was answered on an earlier day.
_COUNT = f"""
SELECT learner_day,
       sum(CASE WHEN given = 1 THEN 1 ELSE 0 END) AS again,
       sum(CASE WHEN given = 2 THEN 1 ELSE 0 END) AS hard,
       sum(CASE WHEN given = 3 THEN 1 ELSE 0 END) AS good,
       sum(CASE WHEN given = 4 THEN 1 ELSE 0 END) AS easy,
       sum(measures) AS asked,
       sum(CASE WHEN given > 1 THEN measures ELSE 0 END) AS recalled,
       sum(CASE WHEN seconds <= :longest OR item_guid LIKE :drills THEN seconds ELSE :longest END)
       AS seconds
FROM (
    SELECT answer.*, CASE WHEN given IS NOT NULL AND place = 1 AND EXISTS (
        SELECT 1 FROM review AS before WHERE {of_item("before", "answer.item_guid")}
        AND before.learner_day < answer.learner_day AND {in_effect("before")})
        THEN 1 ELSE 0 END AS measures
    FROM (
        SELECT counted.*, row_number() OVER (
            PARTITION BY item_guid, learner_day
            ORDER BY CASE WHEN given IS NULL THEN 1 ELSE 0 END, id
        ) AS place
        FROM (
            SELECT id, item_guid, learner_day, seconds,
                   CASE WHEN {in_effect()} THEN rating END AS given
            FROM review WHERE learner_day >= :first
        ) AS counted
    ) AS answer
) AS measured
GROUP BY learner_day"""  # noqa: S608 - constants

_KEEP = (
    f"INSERT INTO review_day ({_FIGURES}, through)"  # noqa: S608 - constants
    f" SELECT {_FIGURES}, (SELECT max(id) FROM review) FROM ({_COUNT}) AS totals"
)


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
_TIMED_DRILLS = f"""
SELECT latest.guid, latest.seconds
FROM (
    SELECT review.id, item.guid, review.seconds
    FROM item JOIN review ON {of_item("review", "item.guid")}
    WHERE item.kind = 'drill' AND review.seconds > 0 AND review.rating IS NOT NULL
    ORDER BY review.id DESC LIMIT 200) AS latest
ORDER BY latest.id DESC"""  # noqa: S608 - constants
