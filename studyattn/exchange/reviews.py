"""The review log as it moves: as the memory model reads it, and what of it is not here yet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Final, TypeVar

from studyattn.grouping import grouped
from studyattn.memory import LoggedReview, MemoryStart, Rating
from studyattn.store.snapshot import Snapshot

_RATINGS: Final[Mapping[str | None, Rating | None]] = {
    None: None,
    **{rating.name.lower(): rating for rating in Rating},
}


def logs_of(snapshot: Snapshot) -> Mapping[str, list[LoggedReview]]:
    """Return the logs of a snapshot, by item."""
    logs: defaultdict[str, list[LoggedReview]] = defaultdict(list)
    for each in snapshot.reviews:
        logs[each.item_guid].append(
            LoggedReview(
                each.uuid,
                each.item_guid,
                _RATINGS[each.rating],
                each.withdraws,
                each.at,
                each.utc_offset,
                each.learner_day,
                each.seconds,
                each.origin,
            )
        )
    return logs


def starts_of(snapshot: Snapshot) -> Mapping[str, MemoryStart]:
    """Return where the memories of a snapshot's items begin."""
    return {
        each.item_guid: MemoryStart(
            each.at, each.utc_offset, each.learner_day, each.interval, each.ease
        )
        for each in snapshot.starts
    }


Row = TypeVar("Row")


def unknown(
    rows: Iterable[Row],
    known: Iterable[Row],
    told: Callable[[Row], tuple[Hashable, int]],
    later: range,
) -> list[Row]:
    """Return the rows that are not known, by what they say and when, as `told` of one gives it.

    A known one may be a little `later`: programs that number reviews by their millisecond move
    some of several in one on.
    """
    times = grouped(map(told, known))
    new = []
    for row in rows:
        what, at = told(row)
        there = times.get(what, ())
        same = next((time for time in there if time - at in later), None)
        if same is None:
            new.append(row)
        else:
            times[what].remove(same)
    return new
