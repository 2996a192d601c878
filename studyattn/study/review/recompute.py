"""Items' memory columns recomputed from the review log, of which they are a cache."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from studyattn.memory import MemoryState, New, Scheduler, fold
from studyattn.memory.columns import review_from_columns
from studyattn.store.database import Connection
from studyattn.store.queries.review_log import all_reviews
from studyattn.study.records import memories, starts_of, store_memory


@dataclass(frozen=True, slots=True)
class Replayed:
    """The outcome of replaying the whole log."""

    reviews: int  # rows of the log, withdrawals too
    items: int
    changes: dict[str, MemoryState]  # by guid: items whose cached memory was not the fold
    orphans: tuple[str, ...]  # guids in the log that no item has (yet)


def recompute(connection: Connection, scheduler: Scheduler) -> Replayed:
    """Set every item's memory to the fold of its log, within the caller's transaction."""
    replayed = replay_log(connection, scheduler)
    store_memory(connection, replayed.changes)
    return replayed


def replay_log(connection: Connection, scheduler: Scheduler) -> Replayed:
    """Fold the log of every item and compare with its cached memory. Changes nothing."""
    cached = memories(connection)
    changes: dict[str, MemoryState] = {}
    orphans: list[str] = []
    unreviewed = set(cached)
    reviews = 0
    starts = starts_of(connection)
    log = map(review_from_columns, all_reviews(connection))
    for guid, rows in groupby(log, key=lambda review: review.item_guid):
        own = list(rows)
        reviews += len(own)
        if guid not in cached:
            orphans.append(guid)
            continue
        unreviewed.discard(guid)
        state = fold(guid, own, scheduler, starts.get(guid))
        if state != cached[guid]:
            changes[guid] = state
    for guid in unreviewed:
        state = scheduler.started(starts[guid]) if guid in starts else New()
        if state != cached[guid]:
            changes[guid] = state
    return Replayed(reviews, len(cached), changes, tuple(orphans))
