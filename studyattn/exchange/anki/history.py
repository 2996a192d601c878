"""One item's reviews and memory as Anki keeps them. Pure.

Anki counts days from the day its collection was made, intervals in days or in negative seconds, and
keeps FSRS's memory as JSON beside the card.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from studyattn.memory import (
    LoggedReview,
    MemoryState,
    New,
    Phase,
    Remembered,
    Scheduler,
    effective_reviews,
    learner_day,
)

NEW, LEARNING, REVIEW, RELEARNING = 0, 1, 2, 3  # Anki's card types
SUSPENDED: Final = -1
_TYPES: Final = {
    Phase.NEW: NEW,
    Phase.LEARNING: LEARNING,
    Phase.REVIEW: REVIEW,
    Phase.RELEARNING: RELEARNING,
}
_QUEUES: Final = {NEW: 0, LEARNING: 1, REVIEW: 2, RELEARNING: 1}
_LOG_KINDS: Final = {Phase.NEW: 0, Phase.LEARNING: 0, Phase.REVIEW: 1, Phase.RELEARNING: 2}
_FACTOR: Final = 2500  # the ease of the older algorithm, which FSRS does not use


@dataclass(frozen=True, slots=True)
class LogRow:
    """A row of Anki's `revlog`, without its card."""

    milliseconds: int
    """When; also the row's number, so it has to be the only one."""
    ease: int
    interval: int
    """Days, or negative seconds."""
    last_interval: int
    factor: int
    taken: int
    """Milliseconds."""
    kind: int


@dataclass(frozen=True, slots=True)
class CardSchedule:
    """The columns of Anki's `cards` that say how a card is remembered."""

    type: int
    queue: int
    due: int
    interval: int
    factor: int
    reps: int
    lapses: int
    left: int
    data: str


def walk(
    guid: str, log: Iterable[LoggedReview], scheduler: Scheduler
) -> tuple[list[LogRow], MemoryState]:
    """The rows of Anki's log for the reviews of an item that stand, and the state they lead to."""
    state: MemoryState = New()
    rows: list[LogRow] = []
    last_interval = 0
    for review in effective_reviews(log):
        if review.rating is None:
            continue
        before = state.phase
        state = scheduler.replay(guid, state, [review])
        interval = _interval(state, scheduler, review.utc_offset)
        rows.append(
            LogRow(
                milliseconds=round(review.at.timestamp() * 1000),
                ease=int(review.rating),
                interval=interval,
                last_interval=last_interval,
                factor=_FACTOR,
                taken=min(round(review.seconds * 1000), 2**31 - 1),
                kind=_LOG_KINDS[before],
            )
        )
        last_interval = interval
    return rows, state


def card_row(
    state: MemoryState,
    rows: Sequence[LogRow],
    *,
    first_day: date,
    position: int,
    suspended: bool,
    retention: float,
    offset: int,
    rollover_hour: int,
) -> CardSchedule:
    """The state as Anki keeps it; `first_day` is the learner day on which Anki's count begins."""
    if not isinstance(state, Remembered):
        queue = SUSPENDED if suspended else 0
        return CardSchedule(NEW, queue, position, 0, 0, 0, 0, 0, "{}")
    kind = _TYPES[state.phase]
    steps = state.phase is not Phase.REVIEW
    days = max((row.interval for row in rows if row.interval > 0), default=0)
    due = (
        int(state.due.timestamp())
        if steps
        else (learner_day(state.due, offset, rollover_hour) - first_day).days
    )
    data = {
        "s": round(state.stability, 4),
        "d": round(state.difficulty, 3),
        "dr": retention,
        "lrt": int(state.last_review.timestamp()),
    }
    return CardSchedule(
        type=kind,
        queue=SUSPENDED if suspended else _QUEUES[kind],
        due=due,
        interval=rows[-1].interval if not steps else (days if kind == RELEARNING else 0),
        factor=_FACTOR,
        reps=state.reps,
        lapses=state.lapses,
        left=1001 if steps else 0,  # one step left today, one in all
        data=json.dumps(data),
    )


def _interval(state: MemoryState, scheduler: Scheduler, offset: int) -> int:
    if not isinstance(state, Remembered):
        return 0
    if state.phase is not Phase.REVIEW:
        return -max(1, round((state.due - state.last_review).total_seconds()))
    due = learner_day(state.due, offset, scheduler.settings.rollover_hour)
    return max(1, (due - state.last_day).days)
