"""The effect of a rating on an item: stability and difficulty by FSRS-6, steps and days by us.

`fsrs-rs-python` moves the memory (stability, difficulty) over whole days; this module adds what
that library leaves open: learner days, learning and relearning steps, lapses, and the due instant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import fsrs_rs_python as fsrs

from studyattn.errors import InputError
from studyattn.memory.days import day_start, elapsed_days, learner_day
from studyattn.memory.intervals import fuzz_draw, ordered_days
from studyattn.memory.log import LoggedReview, effective_reviews
from studyattn.memory.settings import SchedulingSettings
from studyattn.memory.state import (
    MemoryStart,
    MemoryState,
    New,
    Phase,
    Rating,
    Remembered,
    is_drill,
)


class Transition(NamedTuple):
    """The memory state and due time that a rating leads to."""

    phase: Phase
    step: int
    wait: timedelta | None  # None: as many days as the model says


_IN_DAYS = Transition(Phase.REVIEW, 0, None)
"""Where every rating of a drill leads. Typing code again after ten minutes only tests
short-term memory; so a drill has no steps, and one that failed comes back the next learner day."""


class Scheduler:
    """Schedules items by one learner's settings. Holds no state of any item."""

    def __init__(self, settings: SchedulingSettings | None = None) -> None:
        self.settings = settings or SchedulingSettings()
        self._model = fsrs.FSRS(list(self.settings.parameters))

    def next_states(
        self, guid: str, state: MemoryState, at: datetime, utc_offset: int
    ) -> Mapping[Rating, Remembered]:
        """Return the state that each rating given at `at` would lead to, fuzz included.

        Raises InputError for a time before the last review, which no model can answer.
        """
        if isinstance(state, Remembered) and at < state.last_review:
            raise InputError(
                f"a review at {at.isoformat()} would be earlier than the item's last one,"
                f" at {state.last_review.isoformat()}",
                where=guid,
            )
        try:
            today = learner_day(at, utc_offset, self.settings.rollover_hour)
            return self._next_states(guid, state, at.astimezone(UTC), today, utc_offset)
        except OverflowError as error:
            raise InputError(f"{at.isoformat()} is too near the calendar's end") from error

    def answer(
        self, guid: str, state: MemoryState, rating: Rating, at: datetime, utc_offset: int
    ) -> Remembered:
        """Return the state after one review: exactly what `next_states` gives for that rating."""
        return self.next_states(guid, state, at, utc_offset)[rating]

    def replay(self, guid: str, state: MemoryState, reviews: Sequence[LoggedReview]) -> MemoryState:
        """Return the state after reviews, all in effect and in order, as if answered one by one.

        Only the last review's interval is needed, so only that one is computed: a million reviews
        take seconds.
        """
        if not reviews:
            return state
        before = self._replay_memory(guid, state, reviews[:-1])
        last = reviews[-1]
        outcomes = self._next_states(guid, before, last.at, last.learner_day, last.utc_offset)
        return outcomes[_rated(last)]

    def started(self, start: MemoryStart) -> MemoryState:
        """Return the memory with which an item begins at `start`."""
        if start.interval is None or start.ease is None:
            return New()
        ease = start.ease / 1000
        memory = self._model.memory_state_from_sm2(ease, start.interval, _SM2_RETENTION)
        difficulty = memory.difficulty
        if ease <= _LARGEST_DIFFICULTY_AS_EASE:
            difficulty = (ease - 0.1) * 9 + 1
        due = start.learner_day + timedelta(days=max(1, round(start.interval)))
        return Remembered(
            phase=Phase.REVIEW,
            step=0,
            stability=memory.stability,
            difficulty=difficulty,
            due=day_start(due, start.utc_offset, self.settings.rollover_hour),
            last_review=start.at,
            last_day=start.learner_day,
            reps=1,
            lapses=0,
        )

    def became_leech(self, before: MemoryState, after: MemoryState) -> bool:
        """Return whether this review made the item a leech: at the limit, then every half limit."""
        earlier = before.lapses if isinstance(before, Remembered) else 0
        if not isinstance(after, Remembered) or after.lapses <= earlier:
            return False
        beyond = after.lapses - self.settings.leech_lapses
        return beyond >= 0 and beyond % max(1, self.settings.leech_lapses // 2) == 0

    def _next_states(
        self, guid: str, state: MemoryState, at: datetime, today: date, utc_offset: int
    ) -> dict[Rating, Remembered]:
        reps = state.reps if isinstance(state, Remembered) else 0
        outcomes = self._outcomes(state, today)
        moves = {rating: self._move(guid, state, rating) for rating in _RATINGS}
        draw = fuzz_draw(guid, reps) if self.settings.fuzz else None
        days = ordered_days(
            {rating: outcomes[rating].interval for rating, move in moves.items() if not move.wait},
            self.settings.maximum_interval,
            draw,
        )
        return {
            rating: Remembered(
                phase=move.phase,
                step=move.step,
                stability=outcomes[rating].memory.stability,
                difficulty=outcomes[rating].memory.difficulty,
                due=at + move.wait
                if move.wait
                else day_start(
                    today + timedelta(days=days[rating]), utc_offset, self.settings.rollover_hour
                ),
                last_review=at,
                last_day=today,
                reps=reps + 1,
                lapses=_lapses(state, rating),
            )
            for rating, move in moves.items()
        }

    def _outcomes(self, state: MemoryState, today: date) -> dict[Rating, fsrs.ItemState]:
        memory: fsrs.MemoryState | None = None
        elapsed = 0
        if isinstance(state, Remembered):
            memory = fsrs.MemoryState(state.stability, state.difficulty)
            elapsed = elapsed_days(state.last_day, today)
        states = self._model.next_states(memory, self.settings.desired_retention, elapsed)
        return dict(
            zip(_RATINGS, (states.again, states.hard, states.good, states.easy), strict=True)
        )

    def _move(self, guid: str, state: MemoryState, rating: Rating) -> Transition:
        if is_drill(guid):
            return _IN_DAYS
        if isinstance(state, New):
            return self.move(Phase.LEARNING, 0, rating)
        return self.move(state.phase, state.step, rating)

    def move(self, phase: Phase, step: int, rating: Rating) -> Transition:
        """Return the phase and step of a card after a rating.

        A step beyond the last one (the settings once had more) counts as the end of the steps.
        """
        if phase is Phase.REVIEW:
            steps = self.settings.relearning_steps
            if rating is Rating.AGAIN and steps:
                return Transition(Phase.RELEARNING, 0, steps[0])
            return _IN_DAYS
        relearning = phase is Phase.RELEARNING
        here = Phase.RELEARNING if relearning else Phase.LEARNING
        steps = self.settings.relearning_steps if relearning else self.settings.learning_steps
        if rating is Rating.AGAIN and steps:
            return Transition(here, 0, steps[0])
        if rating is Rating.HARD and step < len(steps):
            return Transition(here, step, _hard_wait(steps, step))
        if rating is Rating.GOOD and step + 1 < len(steps):
            return Transition(here, step + 1, steps[step + 1])
        return _IN_DAYS

    def _replay_memory(
        self, guid: str, state: MemoryState, reviews: Sequence[LoggedReview]
    ) -> MemoryState:
        """`replay` without intervals: `due` of the result is the last review, not worked out."""
        if not reviews:
            return state
        model, retention = self._model, self.settings.desired_retention
        memory: fsrs.MemoryState | None = None
        phase, step, lapses, reps, last = Phase.LEARNING, 0, 0, 0, reviews[0].learner_day
        if isinstance(state, Remembered):
            memory = fsrs.MemoryState(state.stability, state.difficulty)
            phase, step, last = state.phase, state.step, state.last_day
            lapses, reps = state.lapses, state.reps
        drill = is_drill(guid)
        for review in reviews:
            rating, today = _rated(review), review.learner_day
            outcomes = model.next_states(memory, retention, elapsed_days(last, today))
            outcome: fsrs.ItemState = getattr(outcomes, _FIELDS[rating])
            memory = outcome.memory
            last = today
            if phase is Phase.REVIEW:
                if rating is not Rating.AGAIN:
                    continue
                lapses += 1
            phase, step, _ = _IN_DAYS if drill else self.move(phase, step, rating)
        return Remembered(
            phase=phase,
            step=step,
            stability=outcome.memory.stability,
            difficulty=outcome.memory.difficulty,
            due=reviews[-1].at,
            last_review=reviews[-1].at,
            last_day=last,
            reps=reps + len(reviews),
            lapses=lapses,
        )


_SM2_RETENTION = 0.9  # the share that SM-2's intervals are taken to have aimed at, as in Anki
_LARGEST_DIFFICULTY_AS_EASE = 1.1  # an ease up to here is one that Anki made of a difficulty
_RATINGS = tuple(Rating)
_FIELDS = ("", "again", "hard", "good", "easy")  # of fsrs.NextStates, by rating


def _hard_wait(steps: Sequence[timedelta], step: int) -> timedelta:
    """Hard repeats its step; on the first one it waits between this step and the next."""
    if step > 0:
        return steps[step]
    return (steps[0] + steps[1]) / 2 if len(steps) > 1 else steps[0] * 1.5


def _lapses(state: MemoryState, rating: Rating) -> int:
    if isinstance(state, New):
        return 0
    return state.lapses + (state.phase is Phase.REVIEW and rating is Rating.AGAIN)


def _rated(review: LoggedReview) -> Rating:
    if review.rating is None:
        raise ValueError(f"review {review.uuid} is a withdrawal: replay takes reviews that stand")
    return review.rating


def fold(
    guid: str,
    log: Iterable[LoggedReview],
    scheduler: Scheduler,
    start: MemoryStart | None = None,
) -> MemoryState:
    """Compute the memory state of an item from its rows. Rows of other items are ignored.

    With `start` the memory begins there, and only later reviews count.
    """
    reviews = effective_reviews(row for row in log if row.item_guid == guid)
    if start is None:
        return scheduler.replay(guid, New(), reviews)
    later = [review for review in reviews if review.at > start.at]
    return scheduler.replay(guid, scheduler.started(start), later)
