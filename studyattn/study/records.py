"""The review log and items' memory as the forgetting model speaks of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studyattn.memory import LoggedReview, MemoryStart, MemoryState, Scheduler, fold
from studyattn.memory.columns import (
    memory_from_columns,
    memory_to_columns,
    review_from_columns,
)
from studyattn.store.database import Connection
from studyattn.store.log_values import LogRow, read_stored_day, read_stored_instant, read_uuid
from studyattn.store.queries import items, review_log
from studyattn.store.queries.items import MemoryColumns


def log_of(connection: Connection, guid: str) -> list[LoggedReview]:
    """Return every row of the log about one item, withdrawals too."""
    return [review_from_columns(row) for row in review_log.reviews_of(connection, (guid,))]


def logs_of(connection: Connection, guids: Sequence[str]) -> Mapping[str, list[LoggedReview]]:
    """Return every row of the log about each of these items, by guid."""
    logs: dict[str, list[LoggedReview]] = {guid: [] for guid in guids}
    for row in review_log.reviews_of(connection, guids):
        logs[row.item_guid].append(review_from_columns(row))
    return logs


def logged(row: LogRow) -> LoggedReview:
    """Return a row of the log as the model reads it."""
    uuid, guid, rating, withdraws, at, offset, day, seconds, origin = row
    taken_back = None if withdraws is None else read_uuid(withdraws)
    return review_from_columns(
        (
            *(read_uuid(uuid), guid, rating, taken_back, read_stored_instant(at)),
            *(offset, read_stored_day(day), seconds, origin),
        )
    )


def starts_of(connection: Connection, guids: Sequence[str] | None = None) -> dict[str, MemoryStart]:
    """Return where memory begins, by item: of these items, or of all that have such an instant."""
    stored = review_log.memory_starts(connection, guids)
    return {guid: MemoryStart(*columns) for guid, columns in stored.items()}


def fold_item(connection: Connection, guid: str, scheduler: Scheduler) -> MemoryState:
    """Return the memory state that the log of one item comes to."""
    start = starts_of(connection, (guid,)).get(guid)
    return fold(guid, log_of(connection, guid), scheduler, start)


def memories(connection: Connection) -> dict[str, MemoryState]:
    """Return the memory of every item, by guid."""
    stored = items.load_memory(connection)
    return {guid: memory_from_columns(columns) for guid, columns in stored.items()}


def store_memory(
    connection: Connection,
    states: Mapping[str, MemoryState],
) -> None:
    """Write the memory of these items, within the caller's transaction."""
    columns = {guid: MemoryColumns(*memory_to_columns(state)) for guid, state in states.items()}
    items.update_memory(connection, columns)
