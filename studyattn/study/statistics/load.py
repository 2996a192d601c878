"""The load of a year to come, under other retentions: begun and new items, day by day.

Every memory and interval is the library's (FSRS-6); whether an answer is recalled is drawn from the
forgetting curve, with a seed. The days are those of the settings: fuzz, easy days, vacations and
the balance of the load, as the scheduler has them. The library has a simulation of its own, which
begins with new cards alone, and Anki one that begins with its collection; for these both agree with
this one (tests). Pure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from random import Random
from typing import Final

import fsrs_rs_python as fsrs

from studyattn.memory import Rating, SchedulingSettings
from studyattn.memory.balance import CANDIDATES
from studyattn.memory.fit import retrievability
from studyattn.memory.intervals import whole_days
from studyattn.store.queries.items_now import ItemNow
from studyattn.study.statistics.items import Present
from studyattn.text.figure import Told, written

DAYS: Final = 365
WHAT_IF: Final = (0.85, 0.9, 0.95)
_MOST: Final = 2500
"""Items that are walked; of more a sample stands for all."""
_TIMES: Final = 3
"""The most walks of each item where there are few, so that chance does not shape the year."""


Steps = tuple[tuple[float, ...], ...]
"""Shares of again … easy in a step, after an answer of again, of hard and of good."""

LEARNING: Final[Steps] = (
    (0.3686, 0.0628, 0.5108, 0.0577),
    (0.0442, 0.4553, 0.4457, 0.0549),
    (0.0519, 0.0470, 0.8462, 0.0550),
)
RELEARNING: Final[Steps] = (
    (0.2157, 0.0643, 0.6595, 0.0604),
    (0.0500, 0.4638, 0.4475, 0.0387),
    (0.1057, 0.1434, 0.7266, 0.0244),
)
"""Those of many learners, from the library's own simulation (`SimulatorConfig` of fsrs-rs)."""

_MOST_STEPS: Final = 5
"""Answers of one evening after the first, at most, as in the library's simulation."""


@dataclass(frozen=True, slots=True)
class BegunItem:
    """The memory of an item, in days from today."""

    stability: float
    difficulty: float
    ago: int  # since its last answer
    due: int  # until it is due; 0 for what is overdue


def begun_items(items: Iterable[ItemNow], present: Present) -> list[BegunItem]:
    """Return the memories of those items that were asked."""
    return [
        BegunItem(
            each.stability,
            each.difficulty,
            max(0, (present.today - each.last_day).days),
            max(0, (present.day_of(each.due) - present.today).days),
        )
        for each in items
        if each.stability is not None
        and each.difficulty is not None
        and each.last_day is not None
        and each.due is not None
    ]


@dataclass(frozen=True, slots=True)
class Habits:
    """How the learner answers."""

    seconds: float = 0.0  # an answer
    first: tuple[float, ...] = (0.25, 0.10, 0.50, 0.15)  # shares of again … easy for a new item
    recalled: tuple[float, ...] = (0.15, 0.70, 0.15)  # of hard, good, easy when it is recalled
    learning: Steps = LEARNING
    relearning: Steps = RELEARNING

    def rating(self, draw: Random, chance: float | None) -> Rating:
        """Draw the rating of a new item (None), or of one with this chance of recall."""
        if chance is None:
            return draw.choices(list(Rating), self.first)[0]
        if draw.random() < chance:
            return draw.choices(list(Rating)[1:], self.recalled)[0]
        return Rating.AGAIN


@dataclass(frozen=True, slots=True)
class Load:
    """A year to come under one retention; a value a day."""

    retention: float
    reviews: tuple[float, ...]  # the day's first answers to begun items
    minutes: tuple[float, ...]  # of all answers, learning and relearning steps among them
    held: float  # items that would be recalled at the end
    new_a_day: int = 0  # that begin on a usual day

    @property
    def minutes_a_day(self) -> float:
        """The mean of all days."""
        return sum(self.minutes) / len(self.minutes)

    @property
    def reviews_a_day(self) -> float:
        """The mean of all days."""
        return sum(self.reviews) / len(self.reviews)


def simulate_load(
    begun: Sequence[BegunItem],
    *,
    new: int,
    new_a_day: int,
    habits: Habits,
    settings: SchedulingSettings,
    retention: float,
    today: date,
    days: int = DAYS,
    seed: int = 0,
) -> Load:
    """Walk all items for `days` days, from `today` on.

    `new` items wait, of which `new_a_day` begin on a usual day. Where `retention` is not that of
    the settings, the next due days of begun items are planned anew for it, as the change does.
    """
    walk = _Walk(habits, settings, retention, today, days, Random(seed))
    starts = [*islice(walk.starts(new_a_day), new)]
    items = len(begun) + len(starts)
    every, times = max(1, -(-items // _MOST)), max(1, min(_TIMES, _MOST // max(1, items)))
    sample, sampled_starts = begun[::every], starts[::every]
    for _ in range(times):
        for item in sample:
            weight = len(begun) / len(sample) / times
            walk.add(item, weight, replan=retention != settings.desired_retention)
        for day in sampled_starts:
            walk.add_new(day, len(starts) / len(sampled_starts) / times)
    walk.go()
    minutes = tuple(habits.seconds / 60 * each for each in walk.answers)
    return Load(retention, tuple(walk.reviews), minutes, walk.held(), min(new, new_a_day))


@dataclass(slots=True)
class _Item:
    """An item on its way; `weight` is the number of items for which it stands."""

    weight: float
    memory: fsrs.MemoryState | None = None
    last: int = 0  # the day of its last answer


class _Walk:
    """All items, day by day; day 0 is today."""

    def __init__(  # noqa: PLR0917 - all of one simulation
        self,
        habits: Habits,
        settings: SchedulingSettings,
        retention: float,
        today: date,
        days: int,
        draw: Random,
    ) -> None:
        self._habits, self._settings, self._draw = habits, settings, draw
        self._parameters, self._retention, self._days = settings.parameters, retention, days
        self._model = fsrs.FSRS(list(settings.parameters))
        dates = [today + timedelta(days=ahead) for ahead in range(days)]
        self._shares = [settings.share(day) for day in dates]
        self._vacation = [settings.on_vacation(day) for day in dates]
        self._balanced = settings.fuzz and settings.load_balance
        self._items: list[_Item] = []
        self._comes: list[list[_Item]] = [[] for _ in range(days)]
        self._due = [0.0] * days  # items by the day on which they come due
        self.reviews = [0.0] * days
        self.answers = [0.0] * days

    def starts(self, new_a_day: int) -> Iterator[int]:
        """Yield the day of each new item that begins, for as many as there might be."""
        for day, share in enumerate(self._shares):
            yield from (day for _ in range(int(new_a_day * share)))

    def add(self, begun: BegunItem, weight: float, *, replan: bool) -> None:
        """Add a begun item, to come on its due day or, with `replan`, on another."""
        memory = fsrs.MemoryState(begun.stability, begun.difficulty)
        item = _Item(weight, memory, -begun.ago)
        self._items.append(item)
        if replan:
            interval = self._model.next_interval(begun.stability, self._retention, Rating.GOOD)
            self._plan(item, max(0, self._due_after(-begun.ago, interval)))
        else:
            self._plan(item, begun.due)

    def add_new(self, day: int, weight: float) -> None:
        """Add a new item, which begins on a day."""
        self._comes[day].append(_Item(weight))

    def go(self) -> None:
        """Answer what comes on each day. On vacation nothing is asked, and it waits."""
        for day, items in enumerate(self._comes):
            if self._vacation[day]:
                if day + 1 < self._days:
                    self._comes[day + 1] += items
                continue
            for item in items:
                if item.memory is None:
                    self._begin(item, day)
                else:
                    self._review(item, item.memory, day)

    def held(self) -> float:
        """Return how many of the begun items would be recalled at the end."""
        return sum(
            each.weight
            * retrievability(each.memory.stability, self._days - each.last, self._parameters)
            for each in self._items
            if each.memory is not None
        )

    def _begin(self, item: _Item, day: int) -> None:
        self._items.append(item)
        rating = self._habits.rating(self._draw, None)
        state = _outcome(self._model.next_states(None, self._retention, 0), rating)
        steps = len(self._settings.learning_steps)
        state = self._steps(item, state, rating, self._habits.learning, steps, day)
        self._answered(item, state, day)

    def _review(self, item: _Item, memory: fsrs.MemoryState, day: int) -> None:
        elapsed = day - item.last
        chance = retrievability(memory.stability, elapsed, self._parameters)
        rating = self._habits.rating(self._draw, chance)
        state = _outcome(self._model.next_states(memory, self._retention, elapsed), rating)
        self.reviews[day] += item.weight
        if rating is Rating.AGAIN:
            steps = len(self._settings.relearning_steps)
            state = self._steps(item, state, rating, self._habits.relearning, steps, day)
        self._answered(item, state, day)

    def _steps(  # noqa: PLR0917 - what an evening's steps depend on
        self,
        item: _Item,
        state: fsrs.ItemState,
        rating: Rating,
        shares: Steps,
        steps: int,
        day: int,
    ) -> fsrs.ItemState:
        """Pass the steps of minutes that follow a rating, on the same day."""
        left = steps - (rating is Rating.GOOD)
        passed = 0
        for _ in range(_MOST_STEPS):
            if passed >= left or rating is Rating.EASY:
                break
            rating = self._draw.choices(list(Rating), shares[rating - 1])[0]
            state = _outcome(self._model.next_states(state.memory, self._retention, 0), rating)
            self.answers[day] += item.weight
            if rating is Rating.AGAIN:
                passed = 0
            elif rating is not Rating.HARD:
                passed += 1
        return state

    def _answered(self, item: _Item, state: fsrs.ItemState, day: int) -> None:
        self.answers[day] += item.weight
        item.memory, item.last = state.memory, day
        self._plan(item, self._due_after(day, state.interval))

    def _plan(self, item: _Item, due: int) -> None:
        if due < self._days:
            self._due[due] += item.weight
            self._comes[due].append(item)

    def _due_after(self, day: int, interval: float) -> int:
        """Return the day on which an item is due whose last answer was on `day`."""
        longest = self._settings.maximum_interval

        def share(ahead: int) -> float:
            due = day + ahead
            return self._shares[due] if 0 <= due < self._days else 1.0

        def drawn() -> int:
            draw = self._draw.random() if self._settings.fuzz else None
            shares = None if self._settings.every_day_is_usual else share
            return day + max(1, min(longest, whole_days(interval, draw, shares)))

        if not self._balanced:
            return drawn()
        return min((drawn() for _ in range(CANDIDATES)), key=self._cost)

    def _cost(self, due: int) -> float:
        """Return what a day has to do for its share, as the balance of the load counts it."""
        if not 0 <= due < self._days:
            return 0.0
        share = self._shares[due]
        return (self._due[due] + 1) / share if share else math.inf


def _outcome(states: fsrs.NextStates, rating: Rating) -> fsrs.ItemState:
    return (states.again, states.hard, states.good, states.easy)[rating - 1]


def loads_ahead(
    items: Sequence[ItemNow],
    present: Present,
    habits: Habits,
    settings: SchedulingSettings,
    new_a_day: int,
) -> list[Load]:
    """Return the year to come under the desired retention, which is the first, and under others."""
    begun = begun_items(items, present)
    aims = dict.fromkeys((settings.desired_retention, *WHAT_IF))
    return [
        simulate_load(
            begun,
            new=len(items) - len(begun),
            new_a_day=new_a_day,
            habits=habits,
            settings=settings,
            retention=aim,
            today=present.today,
        )
        for aim in aims
    ]


def load_ahead(loads: Sequence[Load], today: date) -> Told:
    """Minutes per day for a year, as things are set."""
    now = loads[0]
    month, later = sum(now.minutes[1:31]) / 30, sum(now.minutes[-30:]) / 30
    return Told(
        f"With {now.new_a_day} new items per day at {now.retention:.0%}, you need about {month:.0f}"
        f" min per day in the coming month and {later:.0f} min a year from now.",
        [(today + timedelta(days=day), round(each, 2)) for day, each in enumerate(now.minutes)],
    )


def what_if(loads: Sequence[Load]) -> Told:
    """Minutes and reviews per day, and what is held at the end, by desired retention."""
    now, *others = loads
    rows = [
        (
            f"{e.retention:.0%}",
            round(e.minutes_a_day, 2),
            round(e.reviews_a_day, 2),
            round(e.held, 1),
        )
        for e in sorted(loads, key=lambda each: each.retention)
    ]
    told = (
        f"You aim at {now.retention:.0%}; this takes about {written(round(now.minutes_a_day, 1))}"
    )
    told += " min per day."
    costs = []
    for each in others if now.minutes_a_day else ():
        share = each.minutes_a_day / now.minutes_a_day - 1
        more = f"{abs(share):.0%} {'less' if share < 0 else 'more'}"
        costs.append(f"at {each.retention:.0%}, it would take {more}")
    if costs:
        told += f" A{'; '.join(costs)[1:]}. Change it in the settings (`desired_retention`)."
    return Told(told, rows)
