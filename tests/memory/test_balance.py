"""The balanced load: order, range and replay of items, and the spread of a simulated year."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from random import Random
from statistics import fmean, pstdev

from hypothesis import given, settings
from hypothesis import strategies as st

from studyattn.memory import (
    LoggedReview,
    MemoryState,
    New,
    Phase,
    Rating,
    Remembered,
    Scheduler,
    SchedulingSettings,
    learner_day,
)
from studyattn.memory.balance import least_loaded, with_seed
from studyattn.memory.intervals import retrievability
from tests.memory.histories import START, logged, review_lists

PLAIN = Scheduler()
BALANCED = Scheduler(SchedulingSettings(load_balance=True))
UUID = "01977e3c-1111-7222-8333-4444aaaaaaaa"


def due_day(state: Remembered) -> date:
    return learner_day(state.due, 0)


@given(reviews=review_lists(), loads=st.lists(st.integers(0, 9), min_size=40, max_size=40))
@settings(deadline=None, max_examples=40)
def test_the_buttons_keep_their_order_and_the_log_leads_to_the_same_day(
    reviews: list[LoggedReview], loads: list[int]
) -> None:
    before = BALANCED.replay("card", New(), reviews)
    plain = PLAIN.replay("card", New(), reviews)
    if isinstance(before, Remembered):
        assert isinstance(plain, Remembered)
        assert before._replace(due=plain.due) == plain
    at = reviews[-1].at + timedelta(days=9) if reviews else START

    def load(day: date) -> float:
        return loads[day.toordinal() % len(loads)]

    seeds = BALANCED.balanced_seeds("card", before, at, 0, load)
    shown = BALANCED.next_states("card", before, at, 0, seeds)
    in_days = {r: each for r, each in shown.items() if each.phase is Phase.REVIEW}
    days = [due_day(in_days[r]) for r in Rating if r in in_days and r > Rating.AGAIN]
    assert all(earlier < later for earlier, later in pairwise(days))
    if Rating.AGAIN in in_days:
        assert due_day(in_days[Rating.AGAIN]) <= days[0]
    for rating, seed in seeds.items():
        uuid = with_seed(UUID, seed)
        assert BALANCED.answer("card", before, rating, at, 0, uuid) == shown[rating]
        row = logged(99, at, rating)._replace(uuid=uuid)
        assert BALANCED.replay("card", New(), [*reviews, row]) == shown[rating]


def test_the_day_with_the_least_to_do_is_chosen() -> None:
    last = START - timedelta(days=40)
    held = Remembered(Phase.REVIEW, 0, 40.0, 5.0, START, last, last.date(), 5, 0)
    plain = {due_day(PLAIN.answer(f"card-{n}", held, Rating.GOOD, START, 0)) for n in range(200)}
    free = sorted(plain)[len(plain) // 2]
    chosen: Counter[date] = Counter()
    for number in range(50):
        guid = f"card-{number}"
        seeds = BALANCED.balanced_seeds(guid, held, START, 0, lambda day: day != free)
        chosen[due_day(BALANCED.next_states(guid, held, START, 0, seeds)[Rating.GOOD])] += 1
    assert set(chosen) <= plain
    assert chosen[free] > 20  # of sixteen seeds one leads there, more often than not


def reviews_a_day(scheduler: Scheduler, *, items: int = 240, a_day: int = 4) -> list[int]:
    """A year of someone who begins four items a day and answers all that is due each evening."""
    draw = Random(7)
    states: dict[str, MemoryState] = {}
    due: Counter[date] = Counter()
    counts = []
    for number in range(365):
        at = START + timedelta(days=number)
        today = learner_day(at, 0)
        waiting = [
            guid
            for guid, state in states.items()
            if isinstance(state, Remembered) and due_day(state) <= today
        ]
        counts.append(len(waiting))
        new = range(len(states), min(items, len(states) + a_day))
        for guid in (*waiting, *(f"card-{each}" for each in new)):
            state = states.get(guid, New())
            rating = Rating.EASY
            if isinstance(state, Remembered):
                elapsed = (today - state.last_day).days
                chance = retrievability(state.stability, elapsed, scheduler.settings.parameters)
                rating = Rating.GOOD if draw.random() < chance else Rating.AGAIN
            seeds = scheduler.balanced_seeds(guid, state, at, 0, lambda day: due[day])
            after = scheduler.next_states(guid, state, at, 0, seeds)[rating]
            states[guid] = after
            due[due_day(after)] += 1
    return counts


NO_STEPS = SchedulingSettings(learning_steps=(), relearning_steps=())


def test_a_simulated_year_has_evener_days_and_easy_weekdays() -> None:
    plain = reviews_a_day(Scheduler(NO_STEPS))
    balanced = reviews_a_day(Scheduler(replace(NO_STEPS, load_balance=True)))
    # From day 90 on nothing new comes; what is uneven over months is no matter of single days.
    uneven = {
        name: pstdev(
            n - fmean(counts[at - 7 : at + 8]) for at, n in list(enumerate(counts))[90:350]
        )
        for name, counts in (("plain", plain), ("balanced", balanced))
    }
    assert uneven["balanced"] < 0.75 * uneven["plain"], uneven
    assert abs(sum(balanced) / sum(plain) - 1) < 0.05

    eased = replace(NO_STEPS, load_balance=True, easy_days=(1, 1, 1, 1, 1, 0.5, 0))
    counts = reviews_a_day(Scheduler(eased))
    first = learner_day(START, 0)
    by_weekday: Counter[int] = Counter()
    for number, reviews in enumerate(counts[90:], 90):
        by_weekday[(first + timedelta(days=number)).weekday()] += reviews
    usual = sum(by_weekday[day] for day in range(5)) / 5
    assert by_weekday[5] < 0.75 * usual, by_weekday
    assert by_weekday[6] < 0.3 * usual, by_weekday


def test_again_may_be_as_long_as_the_shortest_of_the_others_and_no_longer() -> None:
    days = {
        "a": {Rating.AGAIN: 3, Rating.HARD: 3, Rating.GOOD: 5},
        "b": {Rating.AGAIN: 4, Rating.HARD: 4, Rating.GOOD: 6},
    }
    assert least_loaded(days, float) == {Rating.HARD: "a", Rating.GOOD: "a", Rating.AGAIN: "a"}
