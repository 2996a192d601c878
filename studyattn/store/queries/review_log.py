"""The review log: its rows as they are.

Which ratings are in effect is decided by `in_effect` of `rules`. Rows are only ever added; what
counts them is in `days` and `totals`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, text

from studyattn.store.driver import Driver, instant_text
from studyattn.store.log_values import (
    read_stored_day,
    read_stored_instant,
    read_uuid,
    stored_day,
    stored_instant,
    stored_uuid,
)
from studyattn.store.models import MemoryStartRow, ReviewRow
from studyattn.store.queries.rules import guid_end, in_effect, same_guid
from studyattn.store.readable import driver_of


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


REVIEW_COLUMNS = tuple(ReviewRow.__table__.columns[name] for name in ReviewColumns._fields)
"""The columns of `ReviewColumns`, in its order."""

IS_LOGGED = "SELECT uuid FROM review WHERE uuid = ?"
APPEND = (
    "INSERT INTO review"
    " (uuid, item_guid, rating, withdraws, at, utc_offset, learner_day, seconds, origin)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

_READ = f"SELECT {', '.join(ReviewColumns._fields)} FROM review"  # noqa: S608 - names of columns
_DAYS_BEHIND = timedelta(days=3)
"""More than a learner day is behind its instant's in UTC, wherever it is and whenever it turns."""
_BATCH = 5000  # rows held at a time while reading the whole log
_GUIDS = 500  # in one statement: SQLite limits its variables


def reviews_of(connection: Connection, guids: Sequence[str]) -> Iterator[ReviewColumns]:
    """Yield every row about these items, withdrawals too, by item and time."""
    driver = driver_of(connection)
    for start in range(0, len(guids), _GUIDS):
        chunk = guids[start : start + _GUIDS]
        statement = f"{_READ} WHERE {_about(len(chunk))} ORDER BY item_guid, at, uuid"
        for row in driver.stream(statement, (*chunk, *chunk)):
            withdraws = None if row[3] is None else read_uuid(row[3])
            at, day = read_stored_instant(row[4]), read_stored_day(row[6])
            yield ReviewColumns(
                *(read_uuid(row[0]), row[1], row[2], withdraws, at, row[5], day, row[7], row[8])
            )


def _about(count: int) -> str:
    """Return the condition that a row is about one of so many items; guids are given twice."""
    ends, marks = ", ".join([guid_end("?")] * count), ", ".join("?" * count)
    return f"{guid_end('item_guid')} IN ({ends}) AND {same_guid('review')} IN ({marks})"


def last_forgotten(driver: Driver, guids: Sequence[str]) -> Iterator[tuple[str, datetime]]:
    """Yield when these items were last rated `again`, be it withdrawn; those that ever were."""
    for start in range(0, len(guids), _GUIDS):
        chunk = guids[start : start + _GUIDS]
        statement = (
            f"SELECT item_guid, max(at) FROM review WHERE {_about(len(chunk))} AND rating = 1"  # noqa: S608 - marks
            " GROUP BY item_guid ORDER BY item_guid"
        )
        for guid, at in driver.stream(statement, (*chunk, *chunk)):
            yield guid, read_stored_instant(at)


def all_reviews(connection: Connection) -> Iterator[ReviewColumns]:
    """Yield every row of the log, by item and time, without holding all of them in memory."""
    order = (ReviewRow.item_guid, ReviewRow.at, ReviewRow.uuid)
    statement = select(*REVIEW_COLUMNS).order_by(*order)
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


def put_memory_start(connection: Connection, guid: str, start: StartColumns) -> None:
    """Let the memory of an item begin anew, in place of where it began."""
    connection.execute(delete(MemoryStartRow).where(MemoryStartRow.item_guid == guid))
    connection.execute(insert(MemoryStartRow).values(item_guid=guid, **start._asdict()))


def put_memory_starts(connection: Connection, starts: Mapping[str, StartColumns]) -> None:
    """Let the memories of new items, which have none yet, begin."""
    rows = [{"item_guid": guid, **start._asdict()} for guid, start in starts.items()]
    if rows:
        connection.execute(insert(MemoryStartRow), rows)


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
        .where(
            ReviewRow.at > at,
            ReviewRow.learner_day >= at.date() - _DAYS_BEHIND,  # has an index; instants have none
            text(in_effect()),
        )
        .order_by(ReviewRow.at, ReviewRow.uuid)
    )
    return [ReviewColumns(*row) for row in connection.execute(statement)]


def append_reviews(connection: Connection, rows: Iterable[ReviewColumns]) -> None:
    """Add rows to the log."""
    driver_of(connection).do_many(APPEND, map(_as_stored, rows))


def is_logged(driver: Driver, uuid: str) -> bool:
    """Return whether the log has a row with this uuid."""
    return driver.one(IS_LOGGED, (stored_uuid(uuid),)) is not None


def append_review(driver: Driver, row: ReviewColumns) -> None:
    """Add one row to the log."""
    driver.do(APPEND, _as_stored(row))


def _as_stored(row: ReviewColumns) -> tuple[object, ...]:
    uuid, guid, rating, withdraws, at, offset, day, seconds, origin = row
    return (
        *(stored_uuid(uuid), guid, rating, None if withdraws is None else stored_uuid(withdraws)),
        *(stored_instant(at), offset, stored_day(day), seconds, origin),
    )
