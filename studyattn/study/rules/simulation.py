"""Items and the answers to them on days to come: the one simulation that every estimate rests on.

Every memory and interval is the library's (FSRS-6); whether an answer is recalled is drawn from the
forgetting curve, with a seed. The days are those of the settings: fuzz, easy days, vacations and
the balance of the load, as the scheduler has them. Steps of minutes are passed on the same day.
What is asked on a day the caller says: `rules.evenings` what the day's plan admits, and
`statistics.load` all that is due. Pure.
"""

from __future__ import annotations

import math
from bisect import bisect
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from itertools import accumulate
from random import Random
from typing import Final

import fsrs_rs_python as fsrs

from studyattn.memory import Rating, SchedulingSettings
from studyattn.memory.balance import CANDIDATES
from studyattn.memory.intervals import retrievability, whole_days
from studyattn.memory.state import has_steps, is_drill
from studyattn.study.rules.pace import FIRST_DRILL, Pace, is_drill_kind

Shares = tuple[float, ...]
"""Chances of again … easy, or of hard … easy."""

Steps = tuple[Shares, ...]
"""Chances of again … easy in a step of minutes, after an answer of again, of hard and of good."""

_MOST_STEPS: Final = 5
"""Answers of one evening after the first, at most, as in the library's simulation."""

_RATINGS: Final = tuple(Rating)


@dataclass(frozen=True, slots=True)
class Learner:
    """The way in which somebody answers: assumed, or estimated from the log (`review.pace`)."""

    pace: Pace = field(default_factory=Pace)
    first_look: float = 1.5  # times as long as a later one, of a card
    forgets: float = 1.0
    """The power of a chance of recall that is this learner's: 1 is as the model says, 2 with 81%
    where it says 90%."""
    first: Shares = (0.25, 0.10, 0.50, 0.15)  # ratings of a new item
    recalled: Shares = (0.15, 0.70, 0.15)  # of hard, good, easy when it is recalled
    learning: Steps = ((0.01, 0.15, 0.69, 0.15),) * 3
    relearning: Steps = ((0.01, 0.15, 0.69, 0.15),) * 3

    def rating(self, draw: Random, chance: float | None) -> Rating:
        """Draw the rating of a new item (None), or of one with this chance of recall."""
        if chance is None:
            return _drawn(draw, self.first, Rating.AGAIN)
        if draw.random() < chance**self.forgets:
            return _drawn(draw, self.recalled, Rating.HARD)
        return Rating.AGAIN

    def step(self, draw: Random, rating: Rating, *, new: bool) -> Rating:
        """Draw the rating in a step of minutes that follows a rating."""
        shares = self.learning if new else self.relearning
        return _drawn(draw, shares[rating - 1], Rating.AGAIN)

    def seconds(self, kind: str, draw: Random, *, new: bool) -> float:
        """Return what one answer takes, without reading. A drill's kind tells that it is one."""
        del draw
        first = FIRST_DRILL if is_drill_kind(kind) else self.first_look
        return self.pace.of_kind(kind) * (first if new else 1.0)


def _drawn(draw: Random, shares: Shares, first: Rating) -> Rating:
    """Draw a rating by its share; the shares are those of `first` and of what follows it."""
    return _RATINGS[first - 1 + min(bisect(_sums(shares), draw.random()), len(shares) - 1)]


@cache
def _sums(shares: Shares) -> list[float]:
    return [each / sum(shares) for each in accumulate(shares)]


@dataclass(slots=True)
class PlannedItem:
    """A card or drill on its way; those that are new are in the order in which they are learned."""

    guid: str
    kind: str  # one of `pace.usual_seconds`
    concept: str = ""
    siblings: str | None = None
    before: frozenset[str] = frozenset()
    """The guids of what is seen before a drill."""
    reading: float = 0.0
    """Seconds of reading the pages that come before it when it is new."""
    weight: float = 1.0
    """The number of items for which it stands."""
    shares: tuple[float, ...] = (1.0,)
    """Shares of a drill's time that its steps take."""
    passed: int = 0
    """Steps that passed, the first of them."""
    memory: fsrs.MemoryState | None = None  # None: it is new
    last: int = 0  # the day of its last answer
    due: int = 0  # or since when it may be asked, where it is a new drill

    @property
    def drill(self) -> bool:
        return is_drill(self.guid)

    @property
    def new(self) -> bool:
        return self.memory is None

    @property
    def left(self) -> tuple[float, ...]:
        """The shares of the steps of a drill that did not pass."""
        return self.shares[self.passed :]


@dataclass(slots=True)
class Answered:
    """The time of an item on one day: its first answer, and the steps of minutes after it."""

    item: PlannedItem
    new: bool
    rating: Rating
    answers: int = 0
    seconds: float = 0.0


class Simulation:
    """All items, day by day; day 0 is `first`."""

    def __init__(
        self,
        learner: Learner,
        settings: SchedulingSettings,
        first: date,
        days: int,
        *,
        retention: float | None = None,
        seed: int | str = 0,
    ) -> None:
        self.learner, self._settings, self._draw = learner, settings, Random(seed)
        self._parameters = settings.parameters
        self._retention = settings.desired_retention if retention is None else retention
        self._model = fsrs.FSRS(list(settings.parameters))
        self.dates = [first + timedelta(days=ahead) for ahead in range(days)]
        self.shares = [settings.share(day) for day in self.dates]
        self.vacation = [settings.on_vacation(day) for day in self.dates]
        self._balanced = settings.fuzz and settings.load_balance
        self._steps = len(settings.relearning_steps), len(settings.learning_steps)
        self.comes: list[list[PlannedItem]] = [[] for _ in range(days)]
        self._due = [0.0] * days  # items by the day on which they come due

    def add(self, item: PlannedItem) -> None:
        """Add an item that was begun, to come on its due day; with another retention, on another.

        The change of the desired retention plans the next due days anew.
        """
        memory = item.memory
        if memory is not None and self._retention != self._settings.desired_retention:
            interval = self._model.next_interval(memory.stability, self._retention, Rating.GOOD)
            item.due = self._due_after(item.last, interval)
        self._plan(item, max(0, item.due))

    def wait(self, item: PlannedItem, until: int) -> None:
        """Let an item that was not asked on its day come on a later one."""
        if until < len(self.comes):
            self.comes[until].append(item)

    def recall(self, item: PlannedItem, day: int) -> float:
        """Return the chance that an item is recalled on a day."""
        if item.memory is None:
            return 0.0
        return retrievability(item.memory.stability, day - item.last, self._parameters)

    def answer(self, item: PlannedItem, day: int) -> Answered:
        """Answer an item on a day, the steps that follow included."""
        before, new = item.memory, item.memory is None
        elapsed = 0 if new else max(0, day - item.last)
        rating = self.learner.rating(self._draw, None if new else self.recall(item, day))
        state = _outcome(self._model.next_states(before, self._retention, elapsed), rating)
        told = Answered(item, new, rating)
        self._took(told, new=new)
        if has_steps(item.guid) and (new or rating is Rating.AGAIN):
            state = self._pass_steps(state, told)
        item.memory, item.last = state.memory, day
        self._plan(item, self._due_after(day, state.interval))
        return told

    def _pass_steps(self, state: fsrs.ItemState, told: Answered) -> fsrs.ItemState:
        """Pass the steps of minutes that follow a rating, on the same day."""
        rating, passed = told.rating, 0
        left = self._steps[told.new] - (rating is Rating.GOOD)
        for _ in range(_MOST_STEPS):
            if passed >= left or rating is Rating.EASY:
                break
            rating = self.learner.step(self._draw, rating, new=told.new)
            state = _outcome(self._model.next_states(state.memory, self._retention, 0), rating)
            self._took(told, new=False)
            passed = 0 if rating is Rating.AGAIN else passed + (rating is not Rating.HARD)
        return state

    def _took(self, told: Answered, *, new: bool) -> None:
        told.answers += 1
        told.seconds += self.learner.seconds(told.item.kind, self._draw, new=new)

    def _plan(self, item: PlannedItem, due: int) -> None:
        item.due = due
        if due < len(self.comes):
            self._due[due] += item.weight
            self.comes[due].append(item)

    def _due_after(self, day: int, interval: float) -> int:
        """Return the day on which an item is due whose last answer was on `day`."""
        if not self._balanced:
            return self._drawn(day, interval)
        return min((self._drawn(day, interval) for _ in range(CANDIDATES)), key=self._cost)

    def _drawn(self, day: int, interval: float) -> int:
        def share(ahead: int) -> float:
            due = day + ahead
            return self.shares[due] if 0 <= due < len(self.shares) else 1.0

        draw = self._draw.random() if self._settings.fuzz else None
        shares = None if self._settings.every_day_is_usual else share
        longest = self._settings.maximum_interval
        return day + max(1, min(longest, whole_days(interval, draw, shares)))

    def _cost(self, due: int) -> float:
        """Return what a day has to do for its share, as the balance of the load counts it."""
        if not 0 <= due < len(self.comes):
            return 0.0
        share = self.shares[due]
        return (self._due[due] + 1) / share if share else math.inf


def _outcome(states: fsrs.NextStates, rating: Rating) -> fsrs.ItemState:
    return (states.again, states.hard, states.good, states.easy)[rating - 1]
