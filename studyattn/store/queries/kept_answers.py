"""Answers by learner day, kept so that statistics do not read the log again.

`review_answers` counts every row of the log three times: among all of its day, among those of its
hour, and among those of its kind of item; always by rating and by age of the memory, and with the
number of the log's last row then. As in `days`, rows behind that one touch some days, and from the
first of these on the counts do not hold. Who asks counts those days anew, and may keep them. It
follows from the log alone, so models, exports and recovery do not know it. Nothing here loads
SQLAlchemy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple

from studyattn.store.queries.days import first_touched
from studyattn.store.sql import Connection, do, driver_of, value

TABLE: Final = "review_answers"

ANY_HOUR: Final = -1
ANY_KIND: Final = ""


class By(Enum):
    """The property by which answers are counted, besides rating and age."""

    DAY = "learner_day"
    HOUR = "hour"
    KIND = "kind"


_Kept = tuple[int | str, int, int, int, float]


class KeptAnswers(NamedTuple):
    """Answers of a day, of an hour of it, or of a kind of item on it."""

    day: int  # as `log_values` keeps it
    hour: int  # or ANY_HOUR
    kind: str  # or ANY_KIND
    rating: int  # 0 for withdrawn answers and withdrawals
    age: int
    answers: int
    seconds: float


def first_not_kept(connection: Connection) -> int | None:
    """Return the first learner day from which on answers have to be counted anew; None for none."""
    through = value(connection, "SELECT coalesce(max(through), 0) FROM review_answers")
    return first_touched(connection, through)


def kept_answers(connection: Connection, by: By, first: int, until: int) -> Sequence[_Kept]:
    """Return day, hour or kind, then rating, age, answers and seconds, of days before `until`."""
    condition = {
        By.DAY: f"hour = {ANY_HOUR} AND kind = '{ANY_KIND}'",
        By.HOUR: f"hour <> {ANY_HOUR}",
        By.KIND: f"kind <> '{ANY_KIND}'",
    }[by]
    statement = (
        f"SELECT {by.value}, rating, age, sum(answers), sum(seconds) FROM review_answers"  # noqa: S608 - constants
        f" WHERE learner_day >= :first AND learner_day < :until AND {condition}"
        f" GROUP BY {by.value}, rating, age ORDER BY {by.value}, rating, age"
    )
    kept: Sequence[_Kept] = driver_of(connection).every(statement, {"first": first, "until": until})
    return kept


def keep_answers(connection: Connection, first: int, rows: Iterable[KeptAnswers]) -> None:
    """Put these rows in place of all from a day on, within a write transaction."""
    do(connection, "DELETE FROM review_answers WHERE learner_day >= :first", first=first)
    through = value(connection, "SELECT max(id) FROM review")
    driver_of(connection).do_many(
        "INSERT INTO review_answers"
        " (learner_day, hour, kind, rating, age, answers, seconds, through)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        ((*each, through) for each in rows),
    )
