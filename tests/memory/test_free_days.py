"""Easy days and vacations: which day of the fuzz range an item comes due on, and nothing else."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from studyattn.memory import (
    LoggedReview,
    New,
    Phase,
    Rating,
    Remembered,
    Scheduler,
    SchedulingSettings,
    learner_day,
)
from studyattn.memory.intervals import fuzz_bounds, fuzz_draw, ordered_days
from tests.memory.histories import START, review_lists

PLAIN = Scheduler()
NO_SUNDAY = (1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.0)
SHARES = st.lists(st.sampled_from((0.0, 0.3, 0.5, 1.0)), min_size=7, max_size=7).map(
    lambda shares: (*shares[:6], 1.0)
)
VACATIONS = st.lists(
    st.tuples(st.integers(0, 900), st.integers(0, 40)).map(
        lambda span: (
            START.date() + timedelta(days=span[0]),
            START.date() + timedelta(days=sum(span)),
        )
    ),
    max_size=3,
).map(tuple)


def due_day(state: Remembered) -> date:
    return learner_day(state.due, 0)


@given(reviews=review_lists(), shares=SHARES, vacation=VACATIONS)
@settings(deadline=None, max_examples=60)
def test_memory_is_untouched_and_the_order_of_the_buttons_kept(
    reviews: list[LoggedReview],
    shares: tuple[float, ...],
    vacation: tuple[tuple[date, date], ...],
) -> None:
    eased = Scheduler(SchedulingSettings(easy_days=shares, vacation=vacation))
    before = PLAIN.replay("card", New(), reviews)
    after = eased.replay("card", New(), reviews)
    assert eased.replay("card", New(), reviews) == after
    if isinstance(before, Remembered):
        assert isinstance(after, Remembered)
        assert after._replace(due=before.due) == before
    at = reviews[-1].at + timedelta(days=9) if reviews else START
    states = eased.next_states("card", after, at, 0)
    given_days = {
        rating: (due_day(each) - each.last_day).days
        for rating, each in states.items()
        if each.phase is Phase.REVIEW
    }
    ordered = [given_days[rating] for rating in Rating if rating in given_days and rating > 1]
    assert all(earlier < later for earlier, later in pairwise(ordered))
    assert given_days.get(Rating.AGAIN, 1) <= ordered[0]
    for rating in given_days:
        assert eased.answer("card", after, rating, at, 0) == states[rating]


@given(
    length=st.floats(1, 3000),
    number=st.integers(0, 500),
    shares=st.lists(st.sampled_from((0.0, 0.01, 0.5, 1.0)), min_size=7, max_size=7),
)
@settings(deadline=None)
def test_a_day_is_of_the_fuzz_range_and_has_a_share_if_one_of_the_range_has(
    length: float, number: int, shares: list[float]
) -> None:
    def share(days: int) -> float:
        return shares[days % 7]

    drawn = ordered_days({Rating.EASY: length}, 36500, fuzz_draw("card", number), share)
    shortest, longest = fuzz_bounds(length)
    assert shortest <= drawn[Rating.EASY] <= longest
    if any(map(share, range(shortest, longest + 1))):
        assert share(drawn[Rating.EASY]) > 0


@given(length=st.floats(1, 3000), number=st.integers(0, 500))
@settings(deadline=None)
def test_days_that_are_all_alike_are_drawn_as_without_shares(length: float, number: int) -> None:
    draw = fuzz_draw("card", number)
    lengths = {Rating.GOOD: length}
    assert ordered_days(lengths, 36500, draw, lambda _: 1.0) == ordered_days(lengths, 36500, draw)


def test_days_are_drawn_in_proportion_to_their_shares() -> None:
    eased = Scheduler(SchedulingSettings(easy_days=NO_SUNDAY))
    held = Remembered(
        Phase.REVIEW, 0, 40.0, 5.0, START, START - timedelta(days=40), date(2024, 1, 21), 5, 0
    )
    weekdays = Counter(
        due_day(eased.answer(f"card-{number}", held, Rating.GOOD, START, 0)).weekday()
        for number in range(3000)
    )
    usual = sum(weekdays[day] for day in range(5)) / 5
    assert weekdays[6] == 0
    assert 0.3 * usual < weekdays[5] < 0.7 * usual


def test_a_vacation_moves_what_comes_due_in_it_as_far_as_fuzz_goes() -> None:
    held = Remembered(
        Phase.REVIEW, 0, 40.0, 5.0, START, START - timedelta(days=40), date(2024, 1, 21), 5, 0
    )
    plain = {
        number: due_day(PLAIN.answer(f"card-{number}", held, Rating.GOOD, START, 0))
        for number in range(200)
    }
    first = sorted(plain.values())[60]
    vacation = (first, first + timedelta(days=6))
    away = Scheduler(SchedulingSettings(vacation=(vacation,)))
    moved = [due_day(away.answer(f"card-{n}", held, Rating.GOOD, START, 0)) for n in plain]
    assert not any(vacation[0] <= day <= vacation[1] for day in moved)
    assert min(plain.values()) <= min(moved) < first < vacation[1] < max(moved)
    assert max(moved) <= max(plain.values())

    all_of_it = (min(plain.values()) - timedelta(days=9), max(plain.values()) + timedelta(days=9))
    away = Scheduler(SchedulingSettings(vacation=(all_of_it,)))
    stays = [due_day(away.answer(f"card-{n}", held, Rating.GOOD, START, 0)) for n in plain]
    assert stays == list(plain.values())  # it has no other day, and waits


def test_settings_say_what_a_day_gets() -> None:
    chosen = SchedulingSettings(
        easy_days=NO_SUNDAY, vacation=((date(2026, 12, 20), date(2027, 1, 3)),)
    )
    days = [date(2026, 12, 17) + timedelta(days=ahead) for ahead in range(4)]
    assert [chosen.share(day) for day in days] == [1.0, 1.0, 0.5, 0.0]
    assert chosen.share(date(2027, 1, 3)) == 0
    assert chosen.share(date(2027, 1, 4)) == 1
    assert not chosen.every_day_is_usual
    assert SchedulingSettings().every_day_is_usual
