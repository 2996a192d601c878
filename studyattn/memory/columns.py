"""Values of this room as plain columns, for whatever keeps them, and back.

Columns come in the order of the fields of `Remembered` and `LoggedReview`. A database's own row
type fits when its fields have the same types in the same order.
"""

from __future__ import annotations

from datetime import date, datetime

from studyattn.memory.log import LoggedReview
from studyattn.memory.state import MemoryState, New, Phase, Rating, Remembered

StoredMemory = tuple[
    str,  # phase
    int,  # step
    float | None,  # stability
    float | None,  # difficulty
    datetime | None,  # due
    datetime | None,  # last review
    date | None,  # last day
    int,  # reps
    int,  # lapses
]
"""An item's memory as columns; those that may be None are None for a new item."""

StoredReview = tuple[str, str, int | None, str | None, datetime, int, date, float, str]
"""A `LoggedReview` as columns: its fields, with the rating as a number from 1 to 4."""

_NEW: StoredMemory = (Phase.NEW.value, 0, None, None, None, None, None, 0, 0)
_RATINGS: dict[int | None, Rating | None] = {None: None, **{each.value: each for each in Rating}}


def memory_from_columns(columns: StoredMemory) -> MemoryState:
    """Return the memory state that an item's columns hold."""
    phase, step, stability, difficulty, due, last_review, last_day, reps, lapses = columns
    if phase == Phase.NEW or stability is None or difficulty is None:
        return New()
    if due is None or last_review is None or last_day is None:
        return New()
    known = (due, last_review, last_day, reps, lapses)
    return Remembered(Phase(phase), step, stability, difficulty, *known)


def memory_to_columns(state: MemoryState) -> StoredMemory:
    """Return the columns of an item in this state."""
    return _NEW if isinstance(state, New) else (state.phase.value, *state[1:])


def review_from_columns(columns: StoredReview) -> LoggedReview:
    """Return the row of the log that the columns hold."""
    uuid, item_guid, rating, withdraws, at, utc_offset, learner_day, seconds, origin = columns
    return LoggedReview(
        *(uuid, item_guid, _RATINGS[rating], withdraws, at),
        *(utc_offset, learner_day, seconds, origin),
    )


def review_to_columns(review: LoggedReview) -> StoredReview:
    """Return the columns of a row of the log."""
    rating = None if review.rating is None else review.rating.value
    return (*review[:2], rating, *review[3:])
