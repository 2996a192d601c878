"""What ratings make of an item: published vectors, steps, order of the intervals, leeches."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studyattn.errors import InputError, SettingError
from studyattn.memory import (
    LoggedReview,
    MemoryState,
    New,
    Phase,
    Rating,
    Remembered,
    Scheduler,
    SchedulingSettings,
    day_start,
    learner_day,
)
from tests.memory.histories import START, review_lists

AGAIN, HARD, GOOD, EASY = Rating
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
PLAIN = Scheduler(SchedulingSettings(fuzz=False))
FUZZY = Scheduler()


def interval(state: Remembered, offset: int = 0) -> int:
    return (learner_day(state.due, offset) - state.last_day).days


def after(scheduler: Scheduler, *ratings: Rating) -> Remembered:
    """The state after ratings that were each given when due."""
    state: MemoryState = New()
    at = START
    for rating in ratings:
        state = scheduler.answer("card", state, rating, at, 0)
        at = state.due
    assert isinstance(state, Remembered)
    return state


def test_the_published_intervals() -> None:
    intervals = []
    state: MemoryState = New()
    at = START
    for rating in (3, 3, 3, 3, 3, 3, 1, 1, 3, 3, 3, 3, 3):
        state = PLAIN.answer("card", state, Rating(rating), at, 0)
        intervals.append(interval(state))
        at = state.due
    assert intervals == [0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21]


def test_the_published_memory() -> None:
    state: MemoryState = New()
    at = START
    for rating, days in zip((1, 3, 3, 3, 3, 3), (0, 0, 1, 3, 8, 21), strict=True):
        at += days * DAY
        state = PLAIN.answer("card", state, Rating(rating), at, 0)
    assert isinstance(state, Remembered)
    assert state.stability == pytest.approx(53.62691, abs=1e-4)
    assert state.difficulty == pytest.approx(6.3574867, abs=1e-5)


def test_the_steps_of_a_new_item() -> None:
    shown = PLAIN.next_states("card", New(), START, 0)
    assert {rating: state.due - START for rating, state in shown.items() if rating < EASY} == {
        AGAIN: MINUTE,
        HARD: 5.5 * MINUTE,
        GOOD: 10 * MINUTE,
    }
    assert [shown[rating].phase for rating in Rating] == [Phase.LEARNING] * 3 + [Phase.REVIEW]
    assert after(PLAIN, GOOD).step == 1
    assert after(PLAIN, GOOD, HARD).due - after(PLAIN, GOOD, HARD).last_review == 10 * MINUTE
    assert after(PLAIN, GOOD, AGAIN).step == 0
    assert after(PLAIN, GOOD, GOOD).phase is Phase.REVIEW


def test_one_step_makes_hard_half_as_long_again() -> None:
    one = Scheduler(SchedulingSettings(learning_steps=(10 * MINUTE,)))
    assert one.answer("card", New(), HARD, START, 0).due == START + 15 * MINUTE


def test_no_steps_means_days_from_the_first_answer() -> None:
    stepless = Scheduler(SchedulingSettings(learning_steps=(), relearning_steps=(), fuzz=False))
    shown = stepless.next_states("card", New(), START, 0)
    assert {state.phase for state in shown.values()} == {Phase.REVIEW}
    assert interval(shown[AGAIN]) <= interval(shown[HARD]) < interval(shown[GOOD])
    lapsed = after(stepless, EASY, AGAIN)
    assert (lapsed.phase, lapsed.lapses) == (Phase.REVIEW, 1)


@pytest.mark.parametrize("rating", list(Rating))
def test_a_drill_is_never_asked_twice_on_one_day(rating: Rating) -> None:
    drill = PLAIN.answer("attention:drill/softmax", New(), rating, START, 0)
    assert drill.phase is Phase.REVIEW
    assert interval(drill) >= 1
    again = PLAIN.answer("attention:drill/softmax", drill, AGAIN, drill.due, 0)
    assert (again.phase, interval(again), again.lapses) == (Phase.REVIEW, 1, 1)
    card = PLAIN.answer("attention:softmax", New(), rating, START, 0)
    assert (drill.stability, drill.difficulty) == (card.stability, card.difficulty)


def test_a_step_that_the_settings_no_longer_have_counts_as_the_last() -> None:
    many = Scheduler(SchedulingSettings(learning_steps=(MINUTE, 5 * MINUTE, 20 * MINUTE)))
    state = after(many, GOOD, GOOD)
    assert state.step == 2
    assert PLAIN.answer("card", state, HARD, state.due, 0).phase is Phase.REVIEW


def test_forgetting_in_review_is_a_lapse_and_starts_relearning() -> None:
    state = after(PLAIN, EASY, AGAIN)
    assert (state.phase, state.lapses, state.reps) == (Phase.RELEARNING, 1, 2)
    assert state.due == state.last_review + 10 * MINUTE
    assert after(PLAIN, EASY, AGAIN, AGAIN).lapses == 1  # the steps of one lapse are no second one
    assert after(PLAIN, EASY, AGAIN, GOOD).phase is Phase.REVIEW


def test_days_are_learner_days_not_spans_of_24_hours() -> None:
    state = after(PLAIN, EASY)
    monday_night = datetime(2024, 4, 1, 23, 50, tzinfo=UTC)
    tuesday_noon = datetime(2024, 4, 2, 12, 0, tzinfo=UTC)
    first = PLAIN.answer("card", state, GOOD, monday_night, 0)
    next_day = PLAIN.answer("card", first, GOOD, tuesday_noon, 0)
    same_day = PLAIN.answer("card", first, GOOD, monday_night + timedelta(hours=3), 0)
    assert next_day.stability > same_day.stability


def test_a_review_is_due_when_its_learner_day_begins_on_the_learners_clock() -> None:
    state = PLAIN.answer("card", New(), EASY, START, 330)
    assert state.due == day_start(learner_day(START, 330) + interval(state, 330) * DAY, 330)


def test_a_review_before_the_last_one_is_refused() -> None:
    state = after(PLAIN, GOOD)
    with pytest.raises(InputError, match="earlier than the item's last one"):
        PLAIN.answer("card", state, GOOD, state.last_review - MINUTE, 0)


def test_a_review_at_the_end_of_the_calendar_is_refused_in_words() -> None:
    with pytest.raises(InputError, match="calendar"):
        PLAIN.answer("card", New(), EASY, datetime(9999, 12, 30, tzinfo=UTC), 0)


@settings(max_examples=200)
@given(
    history=review_lists(),
    guid=st.text(max_size=20),
    wait=st.timedeltas(timedelta(0), timedelta(days=4000)),
    maximum=st.integers(3, 400),
    fuzz=st.booleans(),
    steps=st.sampled_from([(), (10 * MINUTE,), (MINUTE, 10 * MINUTE)]),
)
def test_hard_is_shorter_than_good_is_shorter_than_easy(
    *,
    history: list[LoggedReview],
    guid: str,
    wait: timedelta,
    maximum: int,
    fuzz: bool,
    steps: tuple[timedelta, ...],
) -> None:
    scheduler = Scheduler(
        SchedulingSettings(
            maximum_interval=maximum, fuzz=fuzz, learning_steps=steps, relearning_steps=steps
        )
    )
    state = scheduler.replay(guid, New(), history)
    at = (history[-1].at if history else START) + wait
    shown = scheduler.next_states(guid, state, at, 0)
    assert shown[HARD].due < shown[GOOD].due < shown[EASY].due
    assert shown[AGAIN].due <= shown[HARD].due
    in_days = {rating: each for rating, each in shown.items() if each.phase is Phase.REVIEW}
    days = {rating: interval(each) for rating, each in in_days.items()}
    assert all(1 <= length <= maximum for length in days.values())
    passed = [days[rating] for rating in (HARD, GOOD, EASY) if rating in days]
    assert all(longer - shorter >= 1 for shorter, longer in pairwise(passed))
    assert all(each.due > at for each in shown.values())


@given(review_lists(), st.sampled_from(Rating))
def test_the_interval_shown_is_the_interval_given(
    history: list[LoggedReview], rating: Rating
) -> None:
    state = FUZZY.replay("card", New(), history)
    at = (history[-1].at if history else START) + 20 * DAY
    shown = FUZZY.next_states("card", state, at, 0)[rating]
    assert FUZZY.answer("card", state, rating, at, 0) == shown
    assert Scheduler().answer("card", state, rating, at, 0) == shown


def test_fuzz_spreads_items_that_were_learnt_together_and_stays_near() -> None:
    state = after(PLAIN, EASY, GOOD)
    plain = interval(PLAIN.answer("any", state, GOOD, state.due, 0))
    fuzzed = {
        interval(FUZZY.answer(f"card-{number}", state, GOOD, state.due, 0)) for number in range(200)
    }
    assert len(fuzzed) >= 5
    assert all(abs(length - plain) <= 0.15 * plain + 1 for length in fuzzed)
    assert plain in fuzzed


def test_fuzz_changes_from_review_to_review() -> None:
    state = after(PLAIN, EASY, GOOD)
    fuzzed = {
        interval(FUZZY.answer("card", state._replace(reps=reps), GOOD, state.due, 0))
        for reps in range(50)
    }
    assert len(fuzzed) >= 5


def test_a_leech_is_noticed_at_eight_lapses_and_every_four_after() -> None:
    state: MemoryState = New()
    noticed = []
    at = START
    for lapse in range(18):
        for rating in (EASY, AGAIN):
            before, state = state, PLAIN.answer("card", state, rating, at, 0)
            at = state.due + DAY
            if PLAIN.became_leech(before, state):
                noticed.append(lapse + 1)
    assert noticed == [8, 12, 16]


@pytest.mark.parametrize(
    "wrong",
    [
        {"desired_retention": 0.69},
        {"desired_retention": 0.98},
        {"desired_retention": float("nan")},
        {"maximum_interval": 2},
        {"maximum_interval": 36501},
        {"rollover_hour": 24},
        {"leech_lapses": 0},
        {"learning_steps": (timedelta(0),)},
        {"learning_steps": (10 * MINUTE, MINUTE)},
        {"relearning_steps": (2 * DAY,)},
        {"parameters": (1.0,) * 20},
        {"parameters": (float("nan"),) * 21},
    ],
)
def test_settings_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingError):
        SchedulingSettings(**wrong)  # type: ignore[arg-type] # wrong on purpose


@pytest.mark.parametrize("text", ["good", " Good ", "3", "GOOD"])
def test_a_rating_is_read_by_name_or_number(text: str) -> None:
    assert Rating.parse(text) is GOOD


@pytest.mark.parametrize("text", ["", "0", "5", "gut", "3.0"])
def test_what_is_no_rating_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no such rating"):
        Rating.parse(text)
