"""The day's budget: what is due is asked, what is new has to fit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from studyattn.memory import Phase
from studyattn.memory.order import AFTER_CARDS, Candidate, order_queue
from studyattn.study.rules import pace as rules
from studyattn.study.rules.pace import (
    PATIENCE,
    Asked,
    Pace,
    drill_kind,
    late_since,
    long_drill,
    usual_seconds,
)
from studyattn.study.settings import Settings

KINDS = st.sampled_from(sorted(usual_seconds()))
PACES = st.builds(
    Pace, st.fixed_dictionaries({kind: st.integers(1, 1200).map(float) for kind in usual_seconds()})
)


@st.composite
def queues(draw: st.DrawFn) -> list[Asked]:
    """A queue in its order: what is due before what is new, the guid its place; late first."""
    items = draw(st.lists(st.tuples(KINDS, st.booleans(), st.booleans()), max_size=30))
    late = [(kind, new, kind.startswith("drill-") and late) for kind, new, late in items]
    in_order = sorted(late, key=lambda item: (item[1], not item[2]))
    return [
        Asked(str(place), kind, new, late=late) for place, (kind, new, late) in enumerate(in_order)
    ]


def admitted(queue: Sequence[Asked], pace: Pace, **given: Any) -> frozenset[str]:
    """The guids alone: these drills are not in steps."""
    return frozenset(rules.admitted(queue, pace, **given))


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
    new_drills = [each for each in queue if each.drill and each.new]
    must = [each for each in queue if not each.new and not each.drill] + due_drills[:1]
    must += [each for each in new_drills[:1] if not must]
    must += [each for each in queue if each.drill and each.late and each not in must]
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


@settings(deadline=None)
@given(queues(), PACES, BUDGETS)
def test_a_late_drill_is_asked_however_long_the_day_is(
    queue: list[Asked], pace: Pace, budget: float
) -> None:
    asked = admitted(queue, pace, budget=budget)
    for new in (True, False):
        late = [each.guid for each in queue if each.late and each.new == new]
        assert set(late) <= asked


def test_a_drill_longer_than_the_budget_is_asked_on_a_day_without_anything_due() -> None:
    drill, card = Asked("drill", "drill-5", new=True), Asked("card", "basic", new=False)
    new_cards = [Asked(f"card-{number}", "basic", new=True) for number in range(3)]
    assert admitted([*new_cards, drill], Pace(), budget=600) == {"drill"}
    assert "drill" not in admitted([card, *new_cards, drill], Pace(), budget=600)
    assert "drill" not in admitted([drill], Pace(), budget=600, besides=1)
    assert "drill" not in admitted([drill], Pace(), budget=600, done=[card])


def test_the_day_says_that_a_drill_makes_it_longer_than_its_minutes() -> None:
    drill = Asked("drill", "drill-5", new=True)
    cards = [Asked(f"card-{number}", "basic", new=False) for number in range(30)]
    told = "today has a long drill: about 15 min"
    assert long_drill([drill], Pace(), budget=600, done=()) == told
    assert long_drill([drill], Pace(), budget=1200, done=()) == ""
    assert long_drill([drill], Pace(), budget=1200, done=cards) == told
    assert long_drill(cards, Pace(), budget=300, done=[drill]) == ""
    short = Asked("drill", "drill-1", new=False)
    assert long_drill([short, *cards], Pace(), budget=400, done=()) == ""  # the cards are long
    assert long_drill([drill], Pace(), budget=0, done=()) == ""


@dataclass
class Written:
    """A drill of some days: since when it can be asked, and how long it waits after each time."""

    guid: str
    kind: str
    ready: int
    intervals: list[int]
    interval: int = 1
    due: int | None = None  # None while it is new


DULL = (False, 0, 0)
DRILLS = st.tuples(
    st.integers(1, 5).map(drill_kind),
    st.integers(0, 12),
    st.lists(st.integers(1, 30), min_size=1, max_size=6),
)


@settings(deadline=None)
@given(
    st.lists(DRILLS, min_size=1, max_size=8),
    st.lists(st.tuples(st.booleans(), st.integers(0, 90), st.integers(0, 20)), max_size=40),
    PACES,
    BUDGETS,
    st.integers(1, 3),
)
# A due drill beside new ones that always fit, one beside those that are relatively more overdue,
# and a day with room for one drill.
@example([("drill-5", 0, [2]), *[("drill-2", 0, [])] * 20], [(False, 0, 9)] * 40, Pace(), 720, 2)
@example([("drill-5", 0, [30]), *[("drill-5", 0, [1] * 70)] * 9], [DULL] * 80, Pace(), 60, 2)
@example([("drill-5", 0, [1] * 9)] * 4, [(False, 9, 9)] * 40, Pace(), 60, 1)
def test_a_drill_waits_at_most_for_its_days_and_for_those_that_waited_longer(
    drawn: list[tuple[str, int, list[int]]],
    days: list[tuple[bool, int, int]],
    pace: Pace,
    budget: float,
    drills_per_day: int,
) -> None:
    """Each day: whether nothing is studied, cards due, new cards. What is asked is done."""
    drills = [
        Written(f"t:drill/{n}", kind, ready, list(intervals))
        for n, (kind, ready, intervals) in enumerate(drawn)
    ]
    limits = Settings(drills_per_day=drills_per_day).day_limits
    studied: list[date] = []
    before: defaultdict[str, set[str]] = defaultdict(set)  # those that have waited as long
    for number, (is_free, due, new) in enumerate(days):
        today = date(2026, 1, 1) + timedelta(days=number)
        if is_free:
            continue
        waiting = {
            each.guid: (each, today - timedelta(days=number - first))
            for each in drills
            if (first := each.ready if each.due is None else each.due) <= number
        }
        late = {
            guid: late_since(since, studied, new=each.due is None)
            for guid, (each, since) in waiting.items()
        }
        at = datetime.combine(today, time(12), UTC)
        candidates = [
            Candidate(
                guid,
                Phase.NEW if each.due is None else Phase.REVIEW,
                None if each.due is None else at - timedelta(days=number - each.due),
                None
                if each.due is None
                else at - timedelta(days=number - each.due + each.interval),
                place=(AFTER_CARDS, place),
                drill=True,
                late_since=late[guid],
            )
            for place, (guid, (each, _)) in enumerate(waiting.items())
            for due in (None if each.due is None else at - timedelta(days=number - each.due),)
        ]
        in_order = [each.guid for each in order_queue(candidates, at, limits).items]
        cards = [Asked(f"due-{n}", "basic", new=False) for n in range(due)]
        cards += [Asked(f"new-{n}", "basic", new=True) for n in range(new)]
        queue = [
            Asked(guid, waiting[guid][0].kind, waiting[guid][0].due is None, late=bool(late[guid]))
            for guid in in_order
        ]
        asked = admitted([*cards, *queue], pace, budget=budget)
        for guid, (each, since) in waiting.items():
            is_new = each.due is None
            before[guid] |= {
                other.guid
                for other, day in waiting.values()
                if day <= since and (drills_per_day == 1 or (other.due is None) == is_new)
            }
            most = PATIENCE[is_new] + len(before[guid]) - 1  # without itself
            assert guid in asked or sum(since <= day for day in studied) < most
        for guid in in_order:
            if guid in asked:
                each = waiting[guid][0]
                before[guid] = set()
                each.interval = each.intervals.pop(0) if each.intervals else 1000
                each.due = number + each.interval
        studied.insert(0, today)


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


STEPS = (0.25, 0.25, 0.25, 0.25)
LONG = Asked("long", "drill-5", new=True, shares=STEPS)  # 15 min, so 3:45 a step
DUE = [Asked(f"due-{number}", "basic", new=False) for number in range(20)]
NEW = [Asked(f"new-{number}", "basic", new=True) for number in range(40)]


def test_a_long_drill_is_asked_step_by_step_beside_new_cards() -> None:
    whole = rules.admitted([*DUE, *NEW, LONG._replace(shares=(1.0,))], Pace(), budget=1200)
    in_steps = rules.admitted([*DUE, *NEW, LONG], Pace(), budget=1200)
    assert in_steps["long"] == 3
    assert len(in_steps) > len(whole)  # new cards have the room of the other steps
    assert rules.admitted([*DUE, LONG], Pace(), budget=1200)["long"] == 4  # nothing else is new
    assert rules.admitted([*DUE, *NEW, LONG], Pace(), budget=0)["long"] == 4


def test_a_late_drill_in_steps_makes_the_day_longer_by_one_step_alone() -> None:
    late = LONG._replace(late=True)
    budget = expected(Pace(), DUE)
    assert rules.admitted([*DUE, *NEW, late], Pace(), budget=budget)["long"] == 1
    done = [late._replace(shares=STEPS[:1])]
    left = late._replace(shares=STEPS[1:])
    assert "long" not in rules.admitted([*DUE, *NEW, left], Pace(), budget=budget, done=done)


@settings(deadline=None)
@given(
    st.integers(0, 30),
    st.integers(0, 40),
    st.lists(st.integers(1, 9), min_size=2, max_size=6),
    BUDGETS,
    st.booleans(),
)
@example(due=20, new=24, minutes=[1, 3], budget=2280.0, late=False)  # full to the second
def test_the_plan_stays_while_its_steps_are_written(
    due: int, new: int, minutes: list[int], budget: float, late: bool
) -> None:
    pace, shares = Pace(), tuple(each / sum(minutes) for each in minutes)
    drill = LONG._replace(shares=shares, late=late)
    cards = [*DUE[:due], *NEW[:new]]
    plan = rules.admitted([*cards, drill], pace, budget=budget)
    steps = plan.get("long", 0)
    for passed in range(1, steps + 1):
        done = [drill._replace(shares=(sum(shares[:passed]),))]
        left = shares[passed:]
        queue = [*cards, drill._replace(shares=left)] if left else cards
        again = rules.admitted(queue, pace, budget=budget, done=done)
        assert passed + again.pop("long", 0) == steps
        assert again.keys() == plan.keys() - {"long"}
