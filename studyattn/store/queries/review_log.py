"""The review log: its rows as they are.

Which ratings are in effect is decided by `in_effect` of `rules`. Rows are only ever added; what
counts them is in `days` and `totals`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from studyattn.store.driver import Driver
from studyattn.store.log_values import (
    LogDay,
    LogInstant,
    LogRow,
    LogUuid,
    stored_day,
    stored_instant,
    stored_uuid,
)
from studyattn.store.queries.bulk import indexed_behind
from studyattn.store.sql import Connection, Statements, do_many, driver_of, row, rows, stream, value


class ReviewColumns(NamedTuple):
    """One row of the review log: a rating of an item, or the withdrawal of an earlier row."""

    uuid: LogUuid
    item_guid: str
    rating: int | None  # 1–4; None in a withdrawal
    withdraws: LogUuid | None  # of the row that is withdrawn
    at: LogInstant  # aware, UTC
    utc_offset: int  # minutes east of UTC on the learner's clock
    learner_day: LogDay
    seconds: float
    origin: str  # learner | import | merge, by which 0.1.0 marked what came from elsewhere


_SQL = Statements(__file__, COLUMNS=", ".join(ReviewColumns._fields))
_DAYS_BEHIND = timedelta(days=3)
"""More than a learner day is behind its instant's in UTC, wherever it is and whenever it turns."""


def reviews_of(connection: Connection, guids: Sequence[str]) -> Iterator[ReviewColumns]:
    """Yield every row about these items, withdrawals too, by item and time."""
    return stream(connection, ReviewColumns, _SQL.reviews_of, guids=guids)


def last_forgotten(connection: Connection, guids: Sequence[str]) -> list[tuple[str, datetime]]:
    """Return when these items were last rated `again`, be it withdrawn; those that ever were."""
    return rows(connection, tuple[str, LogInstant], _SQL.last_forgotten, guids=guids)


def all_reviews(connection: Connection) -> Iterator[ReviewColumns]:
    """Yield every row of the log, by item and time, without holding all of them in memory."""
    return stream(connection, ReviewColumns, _SQL.all_reviews)


class StartColumns(NamedTuple):
    """The instant at which an item's memory begins; without interval and ease it is new again."""

    at: datetime  # aware, UTC
    utc_offset: int  # minutes east of UTC on the learner's clock
    learner_day: date
    interval: float | None  # days
    ease: float | None  # in thousandths


def memory_starts(
    connection: Connection, guids: Sequence[str] | None = None
) -> dict[str, StartColumns]:
    """Return where memory begins, by item: of these items, or of all that have such an instant."""
    of = "" if guids is None else " WHERE item_guid IN @texts(:guids)"
    statement = _SQL.memory_starts + of
    return dict(rows(connection, tuple[str, StartColumns], statement, guids=guids))


def put_memory_starts(connection: Connection, starts: Mapping[str, StartColumns]) -> None:
    """Let the memories of items begin, in place of where they began."""
    given = ({"item_guid": guid, **start._asdict()} for guid, start in starts.items())
    do_many(connection, _SQL.put_memory_start, given)


def memory_begins_after(connection: Connection, guid: str, at: datetime) -> bool:
    """Return whether a review of the item at `at` is before its memory begins."""
    return value(connection, _SQL.memory_begins_after, guid=guid, at=at) is not None


def find_review(connection: Connection, uuid: str) -> ReviewColumns | None:
    """Return the row with this uuid; None when there is none."""
    return row(connection, ReviewColumns, _SQL.find_review, uuid=stored_uuid(uuid))


def last_withdrawal_of(connection: Connection, uuid: str) -> ReviewColumns | None:
    """Return the latest row that withdraws the row with this uuid; None when none does."""
    return row(connection, ReviewColumns, _SQL.last_withdrawal_of, uuid=stored_uuid(uuid))


def last_rating_in_effect(connection: Connection, origin: str) -> ReviewColumns | None:
    """Return the rating of this origin that was written last and is in effect; None without one."""
    return row(connection, ReviewColumns, _SQL.last_rating_in_effect, origin=origin)


def rated_after(connection: Connection, at: datetime) -> list[ReviewColumns]:
    """Return the ratings in effect that are dated after `at`, the earliest first."""
    day = stored_day(at.date() - _DAYS_BEHIND)
    return rows(connection, ReviewColumns, _SQL.rated_after, at=stored_instant(at), day=day)


def stored_log(connection: Connection) -> Iterator[LogRow]:
    """Yield every row of the log as it is stored, without holding all of them in memory."""
    return stream(connection, LogRow, _SQL.all_reviews)


def stored_of(connection: Connection, guids: Collection[str]) -> list[LogRow]:
    """Return the rows about these items as they are stored, by item and time."""
    return rows(connection, LogRow, _SQL.reviews_of, guids=list(guids))


def stored_named(connection: Connection, uuids: Iterable[bytes]) -> list[LogRow]:
    """Return the rows that have these uuids as they are stored."""
    return rows(connection, LogRow, _SQL.named, uuids=[each.hex() for each in uuids])


def append_rows(connection: Connection, rows: Iterable[LogRow]) -> None:
    """Add rows to the log."""
    number = len(rows) if isinstance(rows, list) else 0
    with indexed_behind(connection, "review", number):
        driver_of(connection).do_many(_SQL.append, rows)


def append_reviews(connection: Connection, rows: Iterable[ReviewColumns]) -> None:
    """Add rows to the log."""
    append_rows(connection, map(as_stored, rows))


def is_logged(connection: Connection, uuid: str) -> bool:
    """Return whether the log has a row with this uuid."""
    return value(connection, _SQL.is_logged, uuid=stored_uuid(uuid)) is not None


def append_review(driver: Driver, row: ReviewColumns) -> None:
    """Add one row to the log."""
    driver.do(_SQL.append, as_stored(row))


def as_stored(row: ReviewColumns) -> LogRow:
    """Return a row as it is stored."""
    uuid, guid, rating, withdraws, at, offset, day, seconds, origin = row
    taken_back = None if withdraws is None else stored_uuid(withdraws)
    return LogRow(
        stored_uuid(uuid),
        guid,
        rating,
        taken_back,
        stored_instant(at),
        offset,
        stored_day(day),
        seconds,
        origin,
    )
