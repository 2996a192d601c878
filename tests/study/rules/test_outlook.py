"""Ranges of days, from a few simulations of what is not known of a learner."""

from __future__ import annotations

import math
from datetime import date
from itertools import combinations
from statistics import correlation, mean

import pytest
from fsrs_rs_python import MemoryState
from hypothesis import given
from hypothesis import strategies as st

from studyattn.memory import SchedulingSettings
from studyattn.memory.order import DayLimits
from studyattn.study.rules.days_ahead import HORIZON
from studyattn.study.rules.evenings import (
    Evenings,
    Recall,
    SoFar,
    Wishes,
    between,
    first_days,
    likely_learners,
    reached,
)
from studyattn.study.rules.pace import Asked, DoneToday, Pace, Timed, Times
from studyattn.study.rules.simulation import Learner, PlannedItem

MONDAY = date(2026, 1, 5)
DRILL = "t:drill/a"


def cards(number: int) -> list[PlannedItem]:
    return [PlannedItem(f"t:{place}", "basic", "a", reading=20.0) for place in range(number)]


def ahead(
    items: list[PlannedItem],
    minutes: float = 20,
    *,
    learner: Learner | None = None,
    recall: Recall | None = None,
    so_far: SoFar | None = None,
    limits: DayLimits | None = None,
    settings: SchedulingSettings | None = None,
) -> list[float]:
    """The days until all is asked, in each simulation."""
    wishes = Wishes(limits or DayLimits(15, 200, 2, 1), 60 * minutes)
    learners = likely_learners(learner or Learner(), recall or Recall.of([], 0))
    days = first_days(learners, items, wishes, settings or SchedulingSettings(), MONDAY, so_far)
    return reached(days, [each.guid for each in items if each.new])


def test_more_minutes_a_day_never_mean_a_later_day() -> None:
    items = cards(150)
    means = [mean(ahead(items, minutes)) for minutes in (5, 10, 20, 30, 60)]
    assert means == sorted(means, reverse=True)
    assert means[0] > 2 * means[-1]


def test_who_forgets_more_and_who_is_slower_needs_longer() -> None:
    items = cards(200)
    usual = mean(ahead(items))
    forgets = Recall.of([0.9] * 400, 310)
    assert mean(ahead(items, recall=forgets)) > usual
    slow = Learner(Times([Timed("basic", 30.0)] * 50).pace())
    assert mean(ahead(items, learner=slow)) > usual


def test_what_is_not_known_of_a_learner_varies_independently() -> None:
    learners = likely_learners(Learner(), Recall.of([], 0))
    drills = [math.log(each.pace.of_kind("drill-3")) for each in learners]
    cards = [math.log(each.pace.of_kind("basic")) for each in learners]
    forgets = [each.forgets for each in learners]
    for one, other in combinations((drills, cards, forgets), 2):
        assert abs(correlation(one, other)) < 0.2


def test_evidence_makes_the_range_narrower() -> None:
    items = [
        *cards(100),
        PlannedItem(DRILL, "drill-3", "a", before=frozenset(each.guid for each in cards(100))),
    ]
    answers = [Timed("basic", 12.0)] * 100 + [Timed("drill-3", 360.0)] * 20

    def width(answered: int) -> float:
        learner = Learner(Times(answers[:answered] + answers[100 : 100 + answered // 5]).pace())
        recall = Recall.of([0.9] * 4 * answered, round(3.6 * answered))
        first, last = between(ahead(items, 10, learner=learner, recall=recall))
        assert last is not None
        return last - first

    assert width(100) < 0.7 * width(0)


@given(st.lists(st.floats(0, HORIZON) | st.just(math.inf), min_size=1, max_size=9))
def test_a_range_holds_its_middle_and_begins_no_earlier_than_today(days: list[float]) -> None:
    first, last = between(days)
    known = [day for day in days if day != math.inf]
    assert first >= 0
    assert (last is None) == (math.inf in days)
    if last is not None:
        assert first <= math.expm1(mean(map(math.log1p, known))) + 1e-9
        assert last >= math.expm1(mean(map(math.log1p, known))) - 1e-9


def test_what_is_asked_today_is_asked_today() -> None:
    assert between(ahead(cards(3))) == (0, 0)
    assert between(reached([{}], [])) == (0, 0)


def test_the_same_days_come_out_each_time() -> None:
    assert ahead(cards(120)) == ahead(cards(120))


def test_a_drill_comes_when_the_last_card_before_it_was_seen() -> None:
    before = cards(3)
    drill = PlannedItem(DRILL, "drill-1", "a", before=frozenset(each.guid for each in before))
    two_a_day = DayLimits(2, 200, 2, 1)
    way = Evenings(
        [*before, drill], Wishes(two_a_day, 0), Learner(), SchedulingSettings(), MONDAY, 9
    )
    for day in range(9):
        way.study(day)
    assert way.first == {"t:0": 0, "t:1": 0, "t:2": 1, DRILL: 1}


def test_what_was_done_today_and_what_is_begun_takes_its_part() -> None:
    one_a_day = DayLimits(1, 200, 2, 1)
    done = DoneToday((Asked("t:done", "basic", new=True),))
    assert set(ahead(cards(2), 0, limits=one_a_day)) == {1}
    assert set(ahead(cards(2), 0, limits=one_a_day, so_far=SoFar(done=done))) == {2}
    assert set(ahead(cards(2), 0, so_far=SoFar(nothing_new=5))) == {5}
    few = cards(10)
    begun = [
        PlannedItem(
            *(f"t:begun-{n}", "basic"),
            weight=10,
            memory=MemoryState(30.0, 5.0),
            last=-30,
            due=n % 10,
        )
        for n in range(80)
    ]
    assert mean(ahead([*few, *begun])) > mean(ahead(few)) + 5


def test_nothing_is_asked_on_vacation() -> None:
    away = SchedulingSettings(vacation=((MONDAY, date(2026, 1, 9)),))
    assert set(ahead(cards(1), settings=away)) == {5}


def test_what_no_day_has_room_for_has_no_day() -> None:
    assert between(ahead(cards(1), 0.01)) == (HORIZON, None)


@pytest.mark.parametrize("share", [0.75, 0.85, 0.95])
def test_recall_is_learned_beside_its_forecasts(share: float) -> None:
    few, many = (Recall.of([0.9] * n, round(share * n)) for n in (10, 1000))
    assert many.share == pytest.approx(share, abs=0.01)
    assert abs(few.share - 0.9) < abs(many.share - 0.9)
    assert many.doubt < few.doubt < Recall.of([], 0).doubt
    lower = Recall.of([0.8] * 1000, 800)  # as forecast, though less than 90 percent
    assert lower.share == pytest.approx(0.9, abs=0.01)
    assert Pace() == Learner().pace
