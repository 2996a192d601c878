"""The times that answers take: assumed at first, moved by each answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.study.rules.pace import (
    LATEST,
    LONGEST_ANSWER,
    Asked,
    Pace,
    Timed,
    Times,
    drill_kind,
    is_drill_kind,
    usual_seconds,
)

USUAL = usual_seconds()
KINDS = st.sampled_from(sorted(USUAL))


def pace(*timed: Timed) -> Pace:
    return Times(timed).pace()


def test_nothing_answered_is_what_is_assumed() -> None:
    assert pace() == Pace()
    assert pace(*[Timed("basic", 0.0)] * 50) == Pace()
    assert pace(Timed("of a pack to come", 9.0)) == Pace()


def test_one_drill_says_something_of_every_drill_and_nothing_of_cards() -> None:
    found = pace(Timed("drill-1", 2 * USUAL["drill-1"]))
    for kind, usual in USUAL.items():
        if is_drill_kind(kind):
            assert 1.3 * usual < found.seconds[kind] < 2 * usual
        else:
            assert found.seconds[kind] == usual
    assert found.seconds["drill-1"] / USUAL["drill-1"] > found.seconds["drill-5"] / USUAL["drill-5"]


def test_a_first_writing_takes_half_as_long_again() -> None:
    first = pace(Timed("drill-2", 1.5 * USUAL["drill-2"], first=True))
    assert first.seconds == pytest.approx(USUAL)


@given(KINDS, st.floats(0.3, 4.0))
def test_many_answers_are_believed(kind: str, factor: float) -> None:
    found = pace(*[Timed(kind, factor * USUAL[kind])] * LATEST)
    counted = factor * USUAL[kind]
    if not is_drill_kind(kind):
        counted = min(LONGEST_ANSWER, counted)
    assert found.seconds[kind] == pytest.approx(counted, rel=0.12)


@given(st.lists(st.tuples(KINDS, st.floats(1, 3000)), max_size=60), KINDS, st.floats(1, 3000))
def test_each_answer_leaves_less_doubt(
    before: list[tuple[str, float]], kind: str, seconds: float
) -> None:
    timed = [Timed(*each) for each in before]
    less, more = pace(*timed), pace(*timed, Timed(kind, seconds))
    if len([each for each in timed if each.kind == kind]) < LATEST:
        assert more.doubts[is_drill_kind(kind)] < less.doubts[is_drill_kind(kind)]
    assert more.doubts[not is_drill_kind(kind)] == less.doubts[not is_drill_kind(kind)]


@given(st.lists(st.tuples(KINDS, st.floats(1, 200)), min_size=1, max_size=40))
def test_who_takes_longer_is_expected_to_take_longer(answers: list[tuple[str, float]]) -> None:
    quick = pace(*(Timed(*each) for each in answers))
    slow = pace(*(Timed(kind, 1.4 * seconds) for kind, seconds in answers))
    assert all(slow.seconds[kind] >= quick.seconds[kind] for kind in USUAL)
    assert slow.seconds != quick.seconds


def test_a_card_left_open_for_an_hour_counts_five_minutes() -> None:
    hour, five = [[Timed("cloze", s)] * 9 for s in (3600.0, LONGEST_ANSWER)]
    assert pace(*hour) == pace(*five)
    drill = pace(*[Timed("drill-5", 3600.0)] * LATEST)
    assert drill.seconds["drill-5"] == pytest.approx(3600, rel=0.05)


def test_an_answer_to_a_card_takes_what_the_kinds_that_were_asked_take() -> None:
    assert Pace().a_card == USUAL["basic"]
    found = pace(*[Timed("cloze", 9.0)] * 30, *[Timed("computed", 60.0)] * 10)
    seconds = found.seconds
    assert found.a_card == pytest.approx(0.75 * seconds["cloze"] + 0.25 * seconds["computed"])
    assert found.of_kind("of a pack to come") == found.a_card


def test_a_new_item_takes_longer_than_a_due_one() -> None:
    usual = Pace()
    for kind in USUAL:
        new, due = Asked("x", kind, new=True), Asked("x", kind, new=False)
        assert usual.expected(new) > usual.expected(due)


def test_a_drill_of_a_level_out_of_range_is_timed_as_the_nearest() -> None:
    assert (drill_kind(0), drill_kind(3), drill_kind(9)) == ("drill-1", "drill-3", "drill-5")
