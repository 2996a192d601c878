"""The review log: its rows as they are, and the condition that a rating in it is in effect.

`in_effect` is the rule of `memory.log.effective_reviews`, in SQL. Every statement that counts
reviews takes its condition from here, so that figures, the queue and undo agree with the memory
states, which are folded in Python. Rows are only ever added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import Connection, Date, bindparam, insert, select, text

from studyattn.store.driver import Driver, instant_text
from studyattn.store.engine import driver_of
from studyattn.store.models import MemoryStartRow, ReviewRow


class ReviewColumns(NamedTuple):
    """One row of the review log: a rating of an item, or the withdrawal of an earlier row."""

    uuid: str
    item_guid: str
    rating: int | None  # 1–4; None in a withdrawal
    withdraws: str | None  # uuid of the row that is withdrawn
    at: datetime  # aware, UTC
    utc_offset: int  # minutes east of UTC on the learner's clock
    learner_day: date
    seconds: float
    origin: str  # learner | import | merge, by which 0.1.0 marked what came from elsewhere


class TimedAnswer(NamedTuple):
    """The duration of one answer."""

    guid: str
    card_kind: str | None  # None for a drill
    seconds: float


REVIEW_COLUMNS = tuple(ReviewRow.__table__.columns[name] for name in ReviewColumns._fields)
"""The columns of `ReviewColumns`, in its order."""

IS_LOGGED = "SELECT uuid FROM review WHERE uuid = ?"
APPEND = (
    "INSERT INTO review"
    " (uuid, item_guid, rating, withdraws, at, utc_offset, learner_day, seconds, origin)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

_BATCH = 5000  # rows held at a time while reading the whole log
_GUIDS = 500  # in one statement: SQLite limits its variables


def in_effect(review: str = "review") -> str:
    """Return the SQL condition that a row of `review`, a table or its alias, is a rating in effect.

    A rating is cancelled by a withdrawal of the same item that is itself not cancelled. Hardly any
    rating is withdrawn, so a look into the index of withdrawals is nearly always all that is done.
    The withdrawals above a withdrawn rating form a tree, because each row withdraws one other. It
    is judged from its leaves: one row at a time, each after all rows that withdraw it. Rows that
    withdraw each other in a circle reach no rating; a database may look at them all the same, so
    the way up ends where it comes back to its beginning.
    """
    return f"""
{review}.rating IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM review AS undo
    WHERE undo.withdraws = {review}.uuid AND undo.item_guid = {review}.item_guid AND NOT EXISTS (
        WITH RECURSIVE
        tree(id, uuid, target, depth) AS (
            SELECT child.id, child.uuid, undo.id, 1 FROM review AS child
            WHERE child.withdraws = undo.uuid AND child.item_guid = undo.item_guid
              AND child.id <> undo.id
            UNION ALL
            SELECT child.id, child.uuid, tree.id, tree.depth + 1
            FROM tree JOIN review AS child ON child.withdraws = tree.uuid
            WHERE child.item_guid = undo.item_guid AND child.id <> undo.id),
        ordered(place, id, target) AS (
            SELECT row_number() OVER (ORDER BY depth DESC, id), id, target FROM tree),
        judged(place, cancelled) AS (
            SELECT 0, ''
            UNION ALL
            SELECT judged.place + 1,
                   CASE WHEN replace(judged.cancelled, ',' || ordered.id || ',', '')
                             = judged.cancelled
                        THEN judged.cancelled || ',' || ordered.target || ','
                        ELSE judged.cancelled END
            FROM judged JOIN ordered ON ordered.place = judged.place + 1)
        SELECT 1 FROM judged
        WHERE replace(judged.cancelled, ',' || undo.id || ',', '') <> judged.cancelled))"""  # noqa: S608 - an alias from our own code


def reviews_of(connection: Connection, guids: Sequence[str]) -> Iterator[ReviewColumns]:
    """Yield every row about these items, withdrawals too, in no particular order."""
    for start in range(0, len(guids), _GUIDS):
        chunk = guids[start : start + _GUIDS]
        rows = connection.execute(select(*REVIEW_COLUMNS).where(ReviewRow.item_guid.in_(chunk)))
        yield from (ReviewColumns(*row) for row in rows)


def all_reviews(connection: Connection) -> Iterator[ReviewColumns]:
    """Yield every row of the log, item by item, without holding all of them in memory."""
    statement = select(*REVIEW_COLUMNS).order_by(ReviewRow.item_guid)
    rows = connection.execute(statement.execution_options(yield_per=_BATCH))
    for partition in rows.partitions(_BATCH):
        yield from (ReviewColumns(*row) for row in partition)


class StartColumns(NamedTuple):
    """The instant at which an item's memory begins; without interval and ease it is new again."""

    at: datetime  # aware, UTC
    utc_offset: int  # minutes east of UTC on the learner's clock
    learner_day: date
    interval: float | None  # days
    ease: float | None  # in thousandths


_START_COLUMNS = tuple(MemoryStartRow.__table__.columns[name] for name in StartColumns._fields)


def memory_starts(
    connection: Connection, guids: Sequence[str] | None = None
) -> dict[str, StartColumns]:
    """Return where memory begins, by item: of these items, or of all that have such an instant."""
    statement = select(MemoryStartRow.item_guid, *_START_COLUMNS)
    if guids is None:
        return {row[0]: StartColumns(*row[1:]) for row in connection.execute(statement)}
    found: dict[str, StartColumns] = {}
    for first in range(0, len(guids), _GUIDS):
        chunk = guids[first : first + _GUIDS]
        rows = connection.execute(statement.where(MemoryStartRow.item_guid.in_(chunk)))
        found |= {row[0]: StartColumns(*row[1:]) for row in rows}
    return found


def memory_begins_after(driver: Driver, guid: str, at: datetime) -> bool:
    """Return whether a review of the item at `at` is before its memory begins."""
    return driver.one(_BEGINS_AFTER, (guid, instant_text(at))) is not None


_BEGINS_AFTER = "SELECT 1 FROM memory_start WHERE item_guid = ? AND at >= ?"


def find_review(connection: Connection, uuid: str) -> ReviewColumns | None:
    """Return the row with this uuid; None when there is none."""
    row = connection.execute(select(*REVIEW_COLUMNS).where(ReviewRow.uuid == uuid)).one_or_none()
    return None if row is None else ReviewColumns(*row)


def last_withdrawal_of(connection: Connection, uuid: str) -> ReviewColumns | None:
    """Return the latest row that withdraws the row with this uuid; None when none does."""
    statement = (
        select(*REVIEW_COLUMNS)
        .where(ReviewRow.withdraws == uuid)
        .order_by(ReviewRow.id.desc())
        .limit(1)
    )
    row = connection.execute(statement).one_or_none()
    return None if row is None else ReviewColumns(*row)


def last_rating_in_effect(connection: Connection, origin: str) -> ReviewColumns | None:
    """Return the rating of this origin that was written last and is in effect; None without one."""
    statement = (
        select(*REVIEW_COLUMNS)
        .where(ReviewRow.origin == origin, text(in_effect()))
        .order_by(ReviewRow.uuid.desc())  # grows with the time of writing, on every machine
        .limit(1)
    )
    row = connection.execute(statement).one_or_none()
    return None if row is None else ReviewColumns(*row)


def rated_after(connection: Connection, at: datetime) -> list[ReviewColumns]:
    """Return the ratings in effect that are dated after `at`, the earliest first."""
    statement = (
        select(*REVIEW_COLUMNS)
        .where(ReviewRow.at > at, text(in_effect()))
        .order_by(ReviewRow.at, ReviewRow.uuid)
    )
    return [ReviewColumns(*row) for row in connection.execute(statement)]


def append_reviews(connection: Connection, rows: Iterable[ReviewColumns]) -> None:
    """Add rows to the log."""
    values = [row._asdict() for row in rows]
    if values:
        connection.execute(insert(ReviewRow), values)


def is_logged(driver: Driver, uuid: str) -> bool:
    """Return whether the log has a row with this uuid."""
    return driver.one(IS_LOGGED, (uuid,)) is not None


def append_review(driver: Driver, row: ReviewColumns) -> None:
    """Add one row to the log."""
    driver.do(
        APPEND,
        (*row[:4], instant_text(row.at), row.utc_offset, row.learner_day.isoformat(), *row[7:]),
    )


def reviews_by_day(connection: Connection, since: date) -> Counter[date]:
    """Return how many reviews of each learner day from `since` on are in effect."""
    rows = connection.execute(_BY_DAY, {"since": since})
    return Counter(dict(rows.all()))


_BY_DAY = (
    text(
        "SELECT learner_day, count(*) FROM review"  # noqa: S608 - constants
        f" WHERE learner_day >= :since AND {in_effect()} GROUP BY learner_day"
    )
    .bindparams(bindparam("since", type_=Date()))
    .columns(learner_day=Date())
)


def studied_on(connection: Connection, day: date) -> bool:
    """Return whether a review of this learner day is in effect."""
    return driver_of(connection).one(_STUDIED_ON, {"day": day.isoformat()}) is not None


_STUDIED_ON = f"SELECT 1 FROM review WHERE learner_day = :day AND {in_effect()} LIMIT 1"  # noqa: S608 - constants


def timed_card_answers(connection: Connection) -> Iterator[TimedAnswer]:
    """Yield the timed answers to cards among the log's 1000 latest rows, the latest first.

    Rows further back are not read, so a log of a million rows costs no more than one of a thousand.
    """
    for guid, card_kind, seconds in driver_of(connection).stream(_TIMED_CARDS):
        yield TimedAnswer(guid, card_kind, float(seconds))


def timed_drill_answers(connection: Connection) -> Iterator[TimedAnswer]:
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
