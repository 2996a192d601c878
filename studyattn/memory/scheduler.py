"""The effect of a rating on an item: stability and difficulty by FSRS-6, steps and days by us.

`fsrs-rs-python` moves the memory (stability, difficulty) over whole days; this module adds what
that library leaves open: learner days, learning and relearning steps, lapses, and the due instant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Final, NamedTuple

import fsrs_rs_python as fsrs

from studyattn.errors import InputError
from studyattn.memory.balance import NO_SEEDS, candidate_seeds, least_loaded, seed_of
from studyattn.memory.days import day_start, learner_day
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
    has_steps,
)


class Transition(NamedTuple):
    """The memory state and due time that a rating leads to."""

    phase: Phase
    step: int
    wait: timedelta | None  # None: as many days as the model says


_IN_DAYS = Transition(Phase.REVIEW, 0, None)
"""The way of every rating of a drill or an explanation. Typing either again after ten minutes only
tests short-term memory; so it has no steps, and one that failed comes back the next learner day."""

_ALL_IN_DAYS = (_IN_DAYS,) * 5  # by rating


class _Place(NamedTuple):
    """The state of an item before a review, but for its memory."""

    phase: Phase  # learning, for an item that was never reviewed
    step: int
    lapses: int
    reps: int
    day: int  # the last review's learner day, as an ordinal number


class History(NamedTuple):
    """The reviews of an item that count, in order, as columns."""

    guid: str
    state: MemoryState  # before them
    ratings: Sequence[int]
    days: Sequence[int]  # learner days, as ordinal numbers
    last: LoggedReview | None  # None: there is none

    @classmethod
    def of(cls, guid: str, state: MemoryState, reviews: Sequence[LoggedReview]) -> History:
        """Return the columns of reviews that are all in effect and in order."""
        days = [review.learner_day.toordinal() for review in reviews]
        last = reviews[-1] if reviews else None
        return cls(guid, state, [*map(_rated, reviews)], days, last)


class Scheduler:
    """Schedules items by one learner's settings. Holds no state of any item."""

    def __init__(self, settings: SchedulingSettings | None = None) -> None:
        self.settings = settings or SchedulingSettings()
        self._model = fsrs.FSRS(list(self.settings.parameters))
        self._learning = _transitions(Phase.LEARNING, self.settings.learning_steps)
        self._relearning = _transitions(Phase.RELEARNING, self.settings.relearning_steps)
        self._review = list(_ALL_IN_DAYS)
        self._review[Rating.AGAIN] = self._relearning[0][Rating.AGAIN]
        self._shares: dict[int, float] = {}  # by a day's ordinal number

    def next_states(
        self,
        guid: str,
        state: MemoryState,
        at: datetime,
        utc_offset: int,
        seeds: Mapping[Rating, str] = NO_SEEDS,
    ) -> Mapping[Rating, Remembered]:
        """Return the state that each rating given at `at` would lead to, fuzz included.

        `seeds` are those that reviews of these ratings would have (`balanced_seeds`). Raises
        InputError for a time before the last review, which no model can answer.
        """
        if isinstance(state, Remembered) and at < state.last_review:
            raise InputError(
                f"a review at {at.isoformat()} would be earlier than the item's last one,"
                f" at {state.last_review.isoformat()}",
                where=guid,
            )
        try:
            today = learner_day(at, utc_offset, self.settings.rollover_hour)
            return self._next_states(
                guid,
                _place(state, today.toordinal()),
                _library_memory(state),
                at.astimezone(UTC),
                today,
                utc_offset,
                _RATINGS,
                seeds,
            )
        except OverflowError as error:
            raise InputError(f"{at.isoformat()} is too near the calendar's end") from error

    def answer(  # noqa: PLR0917 - a review is these things
        self,
        guid: str,
        state: MemoryState,
        rating: Rating,
        at: datetime,
        utc_offset: int,
        uuid: str = "",
    ) -> Remembered:
        """Return the state after one review: exactly what `next_states` gives for that rating.

        `uuid` is the review's in the log, which seeds its fuzz where the load is balanced.
        """
        seeds = {rating: seed_of(uuid)} if uuid else NO_SEEDS
        return self.next_states(guid, state, at, utc_offset, seeds)[rating]

    def balanced_seeds(
        self,
        guid: str,
        state: MemoryState,
        at: datetime,
        utc_offset: int,
        load: Callable[[date], float],
    ) -> dict[Rating, str]:
        """Return for each rating the seed that a review's UUID should end with.

        Of a few seeds, always the same for the same item and number of reviews, it is the one whose
        day has the least `load` for its share, and that keeps the order of the buttons. Empty where
        the load is not balanced.
        """
        if not (self.settings.load_balance and self.settings.fuzz):
            return {}
        today = learner_day(at, utc_offset, self.settings.rollover_hour)
        place = _place(state, today.toordinal())
        elapsed = max(0, today.toordinal() - place.day)
        memory, retention = _library_memory(state), self.settings.desired_retention
        outcomes = self._model.next_states(memory, retention, elapsed)
        moves = self._moves(has_steps(guid), place.phase, place.step)
        days = {
            seed: self._days(fuzz_draw(guid, seed), today.toordinal(), moves, outcomes, _RATINGS)
            for seed in candidate_seeds(guid, place.reps)
        }

        def cost(ahead: int) -> float:
            day = today + timedelta(days=ahead)
            share = self.settings.share(day)
            return (load(day) + 1) / share if share else math.inf

        return least_loaded(days, cost)

    def replay(self, guid: str, state: MemoryState, reviews: Sequence[LoggedReview]) -> MemoryState:
        """Return the state after reviews, all in effect and in order, as if answered one by one."""
        return self.replay_all([(guid, state, reviews)])[0]

    def replay_all(
        self, histories: Sequence[tuple[str, MemoryState, Sequence[LoggedReview]]]
    ) -> list[MemoryState]:
        """Return the state of each item after its reviews, as `replay` does for one."""
        return self.replay_columns([History.of(*each) for each in histories])

    def replay_columns(self, histories: Sequence[History]) -> list[MemoryState]:
        """Return the state of each item after its reviews.

        The library moves all memories in one call, each up to the last review. Only of that one the
        interval is needed. So a million reviews take seconds.
        """
        memories = [_library_memory(history.state) for history in histories]
        walks = [self._walk(history) if history.last else None for history in histories]
        moved = [index for index, walk in enumerate(walks) if walk is not None and walk[1]]
        batch = self._model.memory_state_batch(
            [fsrs.FSRSItem(walk[1]) for walk in walks if walk is not None and walk[1]],
            [memories[index] for index in moved],
        )
        for index, moved_memory in zip(moved, batch, strict=True):
            memories[index] = moved_memory
        states: list[MemoryState] = []
        for history, walk, memory in zip(histories, walks, memories, strict=True):
            last = history.last
            if walk is None or last is None:
                states.append(history.state)
                continue
            rating = _rated(last)
            place = (last.at, last.learner_day, last.utc_offset)
            after = self._next_states(
                *(history.guid, walk[0], memory, *place, (rating,)),
                {rating: seed_of(last.uuid)},
            )
            states.append(after[rating])
        return states

    def waits(
        self, guid: str, state: MemoryState, reviews: Sequence[LoggedReview]
    ) -> Iterator[tuple[Phase, timedelta | int]]:
        """Yield the phase before each review, and the wait after it: of a step, or whole days.

        Days are as the model asks for them, without fuzz and order. The reviews are in effect and
        in order.
        """
        if not reviews:
            return
        retention, longest = self.settings.desired_retention, self.settings.maximum_interval
        memory, steps = _library_memory(state), has_steps(guid)
        phase, step, _, _, day = _place(state, reviews[0].learner_day.toordinal())
        for review in reviews:
            rating, today = _rated(review), review.learner_day.toordinal()
            outcomes = self._model.next_states(memory, retention, max(0, today - day))
            outcome = _outcome(outcomes, rating)
            before = phase
            phase, step, wait = self._moves(steps, phase, step)[rating]
            yield before, min(max(1, round(outcome.interval)), longest) if wait is None else wait
            memory, day = outcome.memory, today

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

    def _next_states(  # noqa: PLR0917 - each is said once, and called a million times
        self,
        guid: str,
        place: _Place,
        memory: fsrs.MemoryState | None,
        at: datetime,
        today: date,
        utc_offset: int,
        wanted: Sequence[Rating],
        seeds: Mapping[Rating, str] = NO_SEEDS,
    ) -> dict[Rating, Remembered]:
        """Return the states to which the wanted ratings lead: one of them, or all."""
        elapsed = max(0, today.toordinal() - place.day)
        outcomes = self._model.next_states(memory, self.settings.desired_retention, elapsed)
        moves = self._moves(has_steps(guid), place.phase, place.step)
        states: dict[Rating, Remembered] = {}
        balanced = self.settings.load_balance
        days: dict[str, Mapping[Rating, int]] = {}  # by seed
        for rating in wanted:
            move = moves[rating]
            if move.wait:
                due = at + move.wait
            else:
                seed = seeds.get(rating, "") if balanced else ""
                if seed not in days:
                    draw = fuzz_draw(guid, seed or place.reps)
                    days[seed] = self._days(draw, today.toordinal(), moves, outcomes, wanted)
                day = today + timedelta(days=days[seed][rating])
                due = day_start(day, utc_offset, self.settings.rollover_hour)
            moved = _outcome(outcomes, rating).memory
            lapsed = place.phase is Phase.REVIEW and rating is Rating.AGAIN
            states[rating] = Remembered(
                phase=move.phase,
                step=move.step,
                stability=moved.stability,
                difficulty=moved.difficulty,
                due=due,
                last_review=at,
                last_day=today,
                reps=place.reps + 1,
                lapses=place.lapses + lapsed,
            )
        return states

    def _days(
        self,
        draw: float,
        today: int,
        moves: Sequence[Transition],
        outcomes: fsrs.NextStates,
        wanted: Sequence[Rating],
    ) -> dict[Rating, int]:
        """Return the days of the wanted ratings and of those that these are ordered after."""
        ordered = _RATINGS if wanted[0] is Rating.AGAIN else _RATINGS[1 : wanted[-1]]
        lengths: dict[Rating, float] = {}
        for rating in ordered:
            if not moves[rating].wait:
                lengths[rating] = _outcome(outcomes, rating).interval
        fuzz = draw if self.settings.fuzz else None
        share = None if self.settings.every_day_is_usual else partial(self._share, today)
        return ordered_days(lengths, self.settings.maximum_interval, fuzz, share)

    def _share(self, today: int, ahead: int) -> float:
        """Return the share of the day that is so many days ahead."""
        day = today + ahead
        if day not in self._shares:
            latest = date.max.toordinal()
            self._shares[day] = self.settings.share(date.fromordinal(min(day, latest)))
        return self._shares[day]

    def _moves(self, steps: bool, phase: Phase, step: int) -> Sequence[Transition]:
        """Return where each rating leads an item in this phase and step, by rating.

        A step beyond the last one (the settings once had more) counts as the end of the steps.
        """
        if not steps:
            return _ALL_IN_DAYS
        if phase is Phase.REVIEW:
            return self._review
        rows = self._relearning if phase is Phase.RELEARNING else self._learning
        return rows[min(step, len(rows) - 1)]

    def _walk(self, history: History) -> tuple[_Place, list[fsrs.FSRSReview]]:
        """Pass all reviews but the last. Return the place after them, and them for the library."""
        phase, step, lapses, reps, day = _place(history.state, history.days[0])
        steps = has_steps(history.guid)
        in_review = phase is Phase.REVIEW
        passed: list[fsrs.FSRSReview] = []
        again, library = Rating.AGAIN, LIBRARY_REVIEWS  # local names are read faster
        for rating, today in zip(history.ratings[:-1], history.days, strict=False):
            passed.append(library[rating][today - day if today > day else 0])
            day = today
            if in_review:
                if rating != again:
                    continue
                lapses += 1
            phase, step, _ = self._moves(steps, phase, step)[rating]
            in_review = phase is Phase.REVIEW
        return _Place(phase, step, lapses, reps + len(passed), day), passed


_RATINGS = tuple(Rating)
_FIELDS = ("", "again", "hard", "good", "easy")  # of fsrs.NextStates, by rating
_SM2_RETENTION = 0.9  # the share that SM-2's intervals are taken to have aimed at, as in Anki
_LARGEST_DIFFICULTY_AS_EASE = 1.1  # an ease up to here is one that Anki made of a difficulty


class _LibraryReviews(dict[int, fsrs.FSRSReview]):
    """The library's reviews of one rating, by days: they are few, and making one takes time."""

    def __init__(self, rating: int) -> None:
        super().__init__()
        self._rating = rating

    def __missing__(self, days: int) -> fsrs.FSRSReview:
        review = self[days] = fsrs.FSRSReview(self._rating, days)
        return review


LIBRARY_REVIEWS: Final = tuple(_LibraryReviews(rating) for rating in range(5))
"""A review as the library takes it, by rating and by days since the one before."""


def _place(state: MemoryState, today: int) -> _Place:
    """Return where an item with this state is before a review on this learner day."""
    if isinstance(state, New):
        return _Place(Phase.LEARNING, 0, 0, 0, today)
    return _Place(state.phase, state.step, state.lapses, state.reps, state.last_day.toordinal())


def _library_memory(state: MemoryState) -> fsrs.MemoryState | None:
    if isinstance(state, New):
        return None
    return fsrs.MemoryState(state.stability, state.difficulty)


def _outcome(outcomes: fsrs.NextStates, rating: Rating) -> fsrs.ItemState:
    outcome: fsrs.ItemState = getattr(outcomes, _FIELDS[rating])
    return outcome


def _transitions(phase: Phase, steps: Sequence[timedelta]) -> list[list[Transition]]:
    """Return where ratings lead: by step, the end of the steps included, and by rating."""
    rows = [list(_ALL_IN_DAYS) for _ in range(len(steps) + 1)]
    for step, row in enumerate(rows):
        if steps:
            row[Rating.AGAIN] = Transition(phase, 0, steps[0])
        if step < len(steps):
            row[Rating.HARD] = Transition(phase, step, _hard_wait(steps, step))
        if step + 1 < len(steps):
            row[Rating.GOOD] = Transition(phase, step + 1, steps[step + 1])
    return rows


def _hard_wait(steps: Sequence[timedelta], step: int) -> timedelta:
    """Hard repeats its step; on the first one it waits between this step and the next."""
    if step > 0:
        return steps[step]
    return (steps[0] + steps[1]) / 2 if len(steps) > 1 else steps[0] * 1.5


def _rated(review: LoggedReview) -> Rating:
    if review.rating is None:
        raise ValueError(f"review {review.uuid} is a withdrawal: replay takes effective reviews")
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
    own = [row for row in log if row.item_guid == guid]
    return fold_all({guid: own}, scheduler, {} if start is None else {guid: start})[guid]


def fold_all(
    logs: Mapping[str, Iterable[LoggedReview]],
    scheduler: Scheduler,
    starts: Mapping[str, MemoryStart],
) -> dict[str, MemoryState]:
    """Compute the memory state of many items, each from its own rows, as `fold` does for one."""
    histories: list[tuple[str, MemoryState, Sequence[LoggedReview]]] = []
    for guid, log in logs.items():
        reviews: Sequence[LoggedReview] = effective_reviews(log)
        state: MemoryState = New()
        if start := starts.get(guid):
            reviews = [review for review in reviews if review.at > start.at]
            state = scheduler.started(start)
        histories.append((guid, state, reviews))
    return dict(zip(logs, scheduler.replay_all(histories), strict=True))
