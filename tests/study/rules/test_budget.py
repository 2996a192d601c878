"""The day's budget: what is due is asked, what is new has to fit."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from studyattn.study.rules.budget import (
    LONGEST_ANSWER,
    Asked,
    Pace,
    admitted,
    drill_kind,
    usual_seconds,
)

KINDS = st.sampled_from(sorted(usual_seconds()))
PACES = st.builds(
    Pace, st.fixed_dictionaries({kind: st.integers(1, 1200).map(float) for kind in usual_seconds()})
)


@st.composite
def queues(draw: st.DrawFn) -> list[Asked]:
    """A queue in its order: what is due before what is new, the guid its place."""
    items = draw(st.lists(st.tuples(KINDS, st.booleans()), max_size=30))
    in_order = sorted(items, key=lambda item: item[1])
    return [Asked(str(place), kind, new) for place, (kind, new) in enumerate(in_order)]


BUDGETS = st.integers(1, 120).map(lambda minutes: 60.0 * minutes)


def expected(pace: Pace, items: list[Asked]) -> float:
    return sum(map(pace.expected, items))


@settings(deadline=None)
@given(queues(), PACES, BUDGETS)
def test_due_cards_are_asked_in_any_case_and_of_due_and_new_drills_one(
    queue: list[Asked], pace: Pace, budget: float
) -> None:
    asked = admitted(queue, pace, budget=budget)
    due = [each for each in queue if not each.new]
    assert {each.guid for each in due if not each.drill} <= asked
    drills = [each for each in queue if each.drill]
    assert all(each.new for each in drills) or asked & {each.guid for each in drills}
    if not any(each.new for each in drills):
        assert {each.guid for each in drills[:1]} <= asked


@settings(deadline=None)
@given(queues(), PACES, BUDGETS)
def test_the_day_stays_within_the_budget_unless_what_is_due_is_longer(
    queue: list[Asked], pace: Pace, budget: float
) -> None:
    asked = admitted(queue, pace, budget=budget)
    due_drills = [each for each in queue if each.drill and not each.new]
    must = [each for each in queue if not each.new and not each.drill] + due_drills[:1]
    total = expected(pace, [each for each in queue if each.guid in asked])
    assert total <= max(budget, expected(pace, must)) + 1e-6


@settings(deadline=None)
@given(queues(), PACES, BUDGETS)
def test_nothing_that_would_fit_is_left_out(queue: list[Asked], pace: Pace, budget: float) -> None:
    asked = admitted(queue, pace, budget=budget)
    total = expected(pace, [each for each in queue if each.guid in asked])
    for each in queue:
        assert each.guid in asked or total + pace.expected(each) > budget - 1e-6


@settings(deadline=None)
@given(queues(), PACES, BUDGETS, st.data())
def test_the_plan_does_not_change_while_it_is_followed(
    queue: list[Asked], pace: Pace, budget: float, data: st.DataObject
) -> None:
    asked = admitted(queue, pace, budget=budget)
    plan = [each for each in queue if each.guid in asked]
    done = plan[: data.draw(st.integers(0, len(plan)))]
    left = [each for each in queue if each not in done]
    assert admitted(left, pace, budget=budget, done=done) == asked - {each.guid for each in done}


@settings(deadline=None)
@given(queues(), PACES)
def test_no_budget_is_no_limit(queue: list[Asked], pace: Pace) -> None:
    assert admitted(queue, pace, budget=0) == {each.guid for each in queue}


def test_a_long_drill_takes_the_day_of_new_cards() -> None:
    cards = [Asked(f"card-{number}", "basic", new=True) for number in range(10)]
    drill = Asked("drill", "drill-5", new=True)
    assert len(admitted(cards, Pace(), budget=1200)) == 10
    with_drill = admitted([*cards, drill], Pace(), budget=1200)
    assert "drill" in with_drill
    assert len(with_drill) < 10


def test_a_due_drill_waits_for_a_new_one_that_fits() -> None:
    drills = [Asked("due", "drill-4", new=False), Asked("new", "drill-2", new=True)]
    assert admitted(drills, Pace(), budget=600) == {"new"}
    assert admitted(drills, Pace(), budget=300) == {"due"}
    assert admitted(drills, Pace(), budget=1200) == {"due", "new"}


def test_room_is_kept_for_the_drill_that_the_days_new_cards_lead_to() -> None:
    cards = [Asked(f"card-{number}", "basic", new=True) for number in range(40)]
    drill = Asked("drill", "drill-1", new=True, after=frozenset({"card-0", "card-3"}))
    alone = admitted(cards, Pace(), budget=1200)
    assert {"card-0", "card-3"} <= alone
    with_drill = admitted([*cards, drill], Pace(), budget=1200)
    assert "drill" in with_drill
    assert with_drill - {"drill"} < alone
    beyond = Asked("drill", "drill-1", new=True, after=frozenset({"card-0", "card-39"}))
    assert admitted([*cards, beyond], Pace(), budget=1200) == alone


def test_a_second_drill_waits_for_a_day_with_room() -> None:
    drills = [Asked("first", "drill-4", new=False), Asked("second", "drill-4", new=False)]
    assert admitted(drills, Pace(), budget=600) == {"first"}
    assert admitted(drills[1:], Pace(), budget=600, done=drills[:1]) == set()
    assert admitted(drills, Pace(), budget=1200) == {"first", "second"}


def test_the_pace_is_the_learners_own_once_there_are_enough_answers() -> None:
    few = Pace.of([("basic", 40.0)] * 9)
    assert few.seconds["basic"] == usual_seconds()["basic"]
    own = Pace.of([("basic", 40.0)] * 10 + [("drill-2", 500.0), ("drill-2", 700.0)] * 2)
    assert own.seconds["basic"] == 40
    assert own.seconds["drill-2"] == 600
    assert own.seconds["cloze"] == usual_seconds()["cloze"]


def test_a_card_left_open_for_an_hour_counts_five_minutes() -> None:
    assert Pace.of([("cloze", 3600.0)] * 10).seconds["cloze"] == LONGEST_ANSWER
    assert Pace.of([("drill-5", 3600.0)] * 3).seconds["drill-5"] == 3600


def test_untimed_answers_say_nothing_of_the_pace() -> None:
    assert Pace.of([("basic", 0.0)] * 50) == Pace.of([])


def test_a_drill_of_a_level_out_of_range_is_timed_as_the_nearest() -> None:
    assert (drill_kind(0), drill_kind(3), drill_kind(9)) == ("drill-1", "drill-3", "drill-5")
