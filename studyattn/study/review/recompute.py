"""Items' memory columns recomputed from the review log, of which they are a cache."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby, islice
from operator import attrgetter
from typing import Final, NamedTuple

from studyattn.memory import MemoryState, New, Scheduler, fold_all
from studyattn.memory.columns import review_from_columns
from studyattn.store.database import Connection
from studyattn.store.queries.days import keep_days
from studyattn.store.queries.review_log import all_reviews
from studyattn.study.records import memories, starts_of, store_memory
from studyattn.study.review.pace import SECONDS

AT_ONCE: Final = 1000  # items whose logs are folded together


class Replayed(NamedTuple):
    """The outcome of replaying the whole log."""

    reviews: int  # rows of the log, withdrawals too
    items: int
    changes: dict[str, MemoryState]  # by guid: items whose cached memory was not the fold
    orphans: tuple[str, ...]  # guids in the log that no item has (yet)


def recompute(connection: Connection, scheduler: Scheduler) -> Replayed:
    """Set items' memory to the fold of the log, and its totals, within the caller's transaction."""
    replayed = replay_log(connection, scheduler)
    store_memory(connection, replayed.changes)
    keep_days(connection, SECONDS)
    return replayed


def _changed(
    states: Mapping[str, MemoryState], cached: Mapping[str, MemoryState]
) -> dict[str, MemoryState]:
    return {guid: state for guid, state in states.items() if state != cached[guid]}


def replay_log(connection: Connection, scheduler: Scheduler) -> Replayed:
    """Fold the log of every item and compare with its cached memory. Changes nothing."""
    cached = memories(connection)
    changes: dict[str, MemoryState] = {}
    orphans: list[str] = []
    unreviewed = set(cached)
    reviews = 0
    starts = starts_of(connection)
    log = map(review_from_columns, all_reviews(connection))
    items = groupby(log, key=attrgetter("item_guid"))
    while logs := {guid: list(rows) for guid, rows in islice(items, AT_ONCE)}:
        reviews += sum(map(len, logs.values()))
        orphans += [guid for guid in logs if guid not in cached]
        known = {guid: log for guid, log in logs.items() if guid in cached}
        unreviewed -= known.keys()
        changes |= _changed(fold_all(known, scheduler, starts), cached)
    new = {guid: New() for guid in unreviewed - starts.keys()}
    begun = {guid: scheduler.started(starts[guid]) for guid in unreviewed & starts.keys()}
    changes |= _changed(new | begun, cached)
    return Replayed(reviews, len(cached), changes, tuple(orphans))
