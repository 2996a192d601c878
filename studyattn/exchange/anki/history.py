"""One item's reviews and memory as Anki keeps them. Pure.

Anki counts days from the day its collection was made, intervals in days or in negative seconds, and
keeps FSRS's memory as JSON beside the card.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Final

from studyattn.exchange.anki.peer import SUSPENDED
from studyattn.exchange.anki.revlog import MANUAL, RevlogRow, Schedule
from studyattn.memory import (
    LoggedReview,
    MemoryStart,
    MemoryState,
    New,
    Phase,
    Remembered,
    Scheduler,
    SchedulingSettings,
    effective_reviews,
    learner_day,
)

NEW, LEARNING, REVIEW, RELEARNING = 0, 1, 2, 3  # Anki's card types
BURIED: Final = -3
_SHORT_STEP: Final = 600  # seconds
_LONGEST: Final = 2**31 - 1  # milliseconds, of an answer
_TYPES: Final = {
    Phase.NEW: NEW,
    Phase.LEARNING: LEARNING,
    Phase.REVIEW: REVIEW,
    Phase.RELEARNING: RELEARNING,
}
_QUEUES: Final = {NEW: 0, LEARNING: 1, REVIEW: 2, RELEARNING: 1}
_LOG_KINDS: Final = {Phase.NEW: 0, Phase.LEARNING: 0, Phase.REVIEW: 1, Phase.RELEARNING: 2}
FACTOR: Final = 2500  # the ease of the older algorithm, which FSRS does not use


def walk(
    logs: Mapping[str, Iterable[LoggedReview]],
    scheduler: Scheduler,
    starts: Mapping[str, MemoryStart],
) -> Iterator[tuple[list[RevlogRow], MemoryState]]:
    """Yield of each item Anki's rows for its reviews in effect, and the state they lead to."""
    histories: list[tuple[str, MemoryState, Sequence[LoggedReview]]] = []
    earlier: list[list[RevlogRow]] = []
    for guid, log in logs.items():
        reviews = effective_reviews(log)
        rows: list[RevlogRow] = []
        state: MemoryState = New()
        start = starts.get(guid)
        if start is not None:
            before = [review for review in reviews if review.at <= start.at]
            reviews = reviews[len(before) :]
            state = scheduler.started(start)
            rows = _rows_before(guid, before, scheduler, start)
        earlier.append(rows)
        histories.append((guid, state, reviews))
    states = scheduler.replay_all(histories)
    for before_start, history, state in zip(earlier, histories, states, strict=True):
        guid, begun, counted = history
        rows = [*before_start, *_rows(guid, counted, scheduler, begun)]
        if counted and isinstance(state, Remembered) and state.phase is Phase.REVIEW:
            # The days on the button, which fuzz has changed.
            due = learner_day(state.due, counted[-1].utc_offset, scheduler.settings.rollover_hour)
            rows[-1] = rows[-1]._replace(interval=max(1, (due - state.last_day).days))
        yield rows, state


def _rows_before(
    guid: str, reviews: Sequence[LoggedReview], scheduler: Scheduler, start: MemoryStart
) -> list[RevlogRow]:
    """Rows for the reviews up to where the memory begins, by which Anki finds that place again.

    That is a reset for an item that is new again. Else it is the first row of a day or more in a
    log without a first learning step.
    """
    if start.interval is None or start.ease is None:
        reset = RevlogRow(milliseconds_of(start.at), 0, 0, 0, 0, 0, MANUAL)
        return [*_rows(guid, reviews, scheduler, New()), reset]
    rows = []
    for review in reviews:
        there = review.at == start.at
        interval, ease = (
            (round(start.interval), round(start.ease)) if there else (-_SHORT_STEP, FACTOR)
        )
        kind = REVIEW if there else RELEARNING
        rows.append(_row(review, interval, 0, ease, kind))
    return rows


def _rows(
    guid: str, reviews: Sequence[LoggedReview], scheduler: Scheduler, state: MemoryState
) -> list[RevlogRow]:
    """Return rows for reviews of an item that is in `state` before the first."""
    rows: list[RevlogRow] = []
    last_interval = 0
    for review, (before, wait) in zip(reviews, scheduler.waits(guid, state, reviews), strict=True):
        interval = wait if isinstance(wait, int) else -max(1, round(wait.total_seconds()))
        rows.append(_row(review, interval, last_interval, FACTOR, _LOG_KINDS[before]))
        last_interval = interval
    return rows


def _row(review: LoggedReview, interval: int, last: int, factor: int, kind: int) -> RevlogRow:
    ease = 0 if review.rating is None else review.rating.value
    taken = min(round(review.seconds * 1000), _LONGEST)
    return RevlogRow(milliseconds_of(review.at), ease, interval, last, factor, taken, kind)


def milliseconds_of(at: datetime) -> int:
    """Return an instant as Anki writes it."""
    return round(at.timestamp() * 1000)


def _interval(state: Remembered, rows: Iterable[RevlogRow], days: int) -> int:
    """Return the days that a card waits; of one that is learned again those that it waited."""
    if state.phase is Phase.REVIEW:
        return max(1, days)
    if state.phase is Phase.LEARNING:
        return 0
    return max((row.interval for row in rows if row.interval > 0), default=0)


def card_row(
    state: MemoryState,
    rows: Sequence[RevlogRow],
    start: MemoryStart | None,
    *,
    first_day: date,
    position: int,
    suspended: bool,
    buried: bool,
    flags: int,
    settings: SchedulingSettings,
    offset: int,
) -> Schedule:
    """The state as Anki keeps it; `first_day` is the learner day on which Anki's count begins."""
    kind = _TYPES[state.phase]
    queue = SUSPENDED if suspended else BURIED if buried else _QUEUES[kind]
    if not isinstance(state, Remembered):
        return Schedule(NEW, queue, position, 0, 0, 0, 0, 0, flags, "{}")
    steps = state.phase is not Phase.REVIEW
    due_day = learner_day(state.due, offset, settings.rollover_hour)
    data = {
        "s": round(state.stability, 4),
        "d": round(state.difficulty, 3),
        "dr": settings.desired_retention,
        "decay": round(settings.parameters[-1], 3),
        "lrt": int(state.last_review.timestamp()),
    }
    return Schedule(
        type=kind,
        queue=queue,
        due=int(state.due.timestamp()) if steps else (due_day - first_day).days,
        interval=_interval(state, rows, (due_day - state.last_day).days),
        factor=FACTOR if start is None or start.ease is None else round(start.ease),
        reps=state.reps,
        lapses=state.lapses,
        left=1001 if steps else 0,  # one step left today, one in all
        flags=flags,
        data=json.dumps(data),
    )
