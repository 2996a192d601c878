"""The suggested rating: what speaks against knowing never makes it better."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.memory import Rating
from studyattn.study.rules.practice_series import (
    BRISK,
    MANY_FAILURES,
    SLOW,
    AttemptSeries,
    Submitted,
    failures_before_passing,
    suggest_for_answer,
    suggest_rating,
)

HINTS = 3
STARTER = "def f(): ..."
series = st.builds(
    AttemptSeries,
    passed=st.booleans(),
    failures=st.integers(0, 2 * MANY_FAILURES),
    hints=st.integers(0, HINTS),
    hints_in_all=st.just(HINTS),
    revealed=st.booleans(),
    seconds=st.floats(0, 2 * max(BRISK.values())),
    level=st.integers(min(BRISK), max(BRISK)),
)
passed = series.map(lambda some: some._replace(passed=True, revealed=False))
submissions = st.lists(
    st.builds(
        Submitted,
        code=st.sampled_from([STARTER, f"\n{STARTER}  ", "a", "b", "a\n", "c"]),
        verdict=st.sampled_from(["passed", "wrong", "error", "timeout", "invalid"]),
    ),
    max_size=8,
)


def rating(given_series: AttemptSeries) -> Rating:
    return suggest_rating(given_series).rating


@given(series)
def test_giving_up_and_looking_at_the_solution_are_again(some: AttemptSeries) -> None:
    assert rating(some._replace(passed=False)) is Rating.AGAIN
    assert rating(some._replace(revealed=True)) is Rating.AGAIN
    assert (rating(some) is Rating.AGAIN) == (some.revealed or not some.passed)


@given(passed, st.integers(1, MANY_FAILURES), st.integers(1, HINTS), st.floats(1, 1e4))
def test_what_speaks_against_knowing_never_makes_it_better(
    some: AttemptSeries, failures: int, hints: int, seconds: float
) -> None:
    harder = (
        some._replace(failures=some.failures + failures),
        some._replace(hints=min(HINTS, some.hints + hints)),
        some._replace(seconds=some.seconds + seconds),
        some._replace(level=max(1, some.level - 1)),  # the same time for less
        some._replace(passed=False),
        some._replace(revealed=True),
    )
    assert all(rating(each) <= rating(some) for each in harder)


@given(series)
def test_easy_is_at_once_alone_and_quickly(some: AttemptSeries) -> None:
    at_once = some.passed and not (some.failures or some.hints or some.revealed)
    assert (rating(some) is Rating.EASY) == (at_once and some.seconds <= BRISK[some.level])
    with_all_hints = some._replace(passed=True, revealed=False, hints=HINTS)
    assert rating(with_all_hints) is Rating.HARD


@given(series)
def test_the_reason_names_what_it_rests_on(some: AttemptSeries) -> None:
    reason = suggest_rating(some).reason
    assert reason.endswith(".")
    if some.passed and not some.revealed and some.hints < HINTS:
        assert (f"{some.failures} failed submission" in reason) == (some.failures > 0)
        assert (f"with {some.hints} hint" in reason) == (some.hints > 0)
        assert (" min." in reason or "under a minute" in reason) == (not some.failures + some.hints)


@pytest.mark.parametrize("level", [-1, 0, 6, 99])
def test_a_level_out_of_range_counts_as_the_nearest(level: int) -> None:
    at_once = AttemptSeries(True, 0, 0, HINTS, revealed=False, seconds=100.0, level=level)
    assert rating(at_once) is Rating.EASY


@given(submissions, submissions)
def test_failures_are_counted_once_and_up_to_the_pass(
    before: list[Submitted], after: list[Submitted]
) -> None:
    passed, failures = failures_before_passing(before, {STARTER})
    assert passed == any(each.verdict == "passed" for each in before)
    assert failures_before_passing([*before, *before], {STARTER}) == (passed, failures)
    if passed:
        assert failures_before_passing([*before, *after], {STARTER}) == (passed, failures)
    counted = {each.code.strip() for each in before if each.verdict not in {"passed", "invalid"}}
    assert failures <= len(counted - {STARTER})
    if not passed:
        assert failures == len(counted - {STARTER})


@given(
    correct=st.sampled_from([True, False, None]),
    seconds=st.floats(0, 1000),
    usual=st.floats(1, 100),
)
def test_a_typed_answer_suggests_again_only_where_it_differs(
    correct: bool | None, seconds: float, usual: float
) -> None:
    rating = suggest_for_answer(correct=correct, seconds=seconds, usual=usual).rating
    assert (rating is Rating.AGAIN) == (not correct)
    assert (rating is Rating.HARD) == (bool(correct) and seconds >= SLOW * usual)
