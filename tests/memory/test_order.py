"""The order of the day's queue."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.memory import Phase
from studyattn.memory.order import (
    Candidate,
    DayLimits,
    in_learning_order,
    order_queue,
    relative_overdueness,
)

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
PLENTY = DayLimits(new=100, reviews=100, drills=100)
DAY = timedelta(days=1)


def review(guid: str, *, interval: int, late: int, siblings: str | None = None) -> Candidate:
    due = NOW - late * DAY
    return Candidate(guid, Phase.REVIEW, due, due - interval * DAY, siblings=siblings)


def learning(guid: str, minutes: int, siblings: str | None = None) -> Candidate:
    due = NOW - timedelta(minutes=minutes)
    return Candidate(guid, Phase.LEARNING, due, due - timedelta(minutes=10), siblings=siblings)


def new(guid: str, place: tuple[int, int] = (0, 0), siblings: str | None = None) -> Candidate:
    return Candidate(guid, Phase.NEW, place=place, siblings=siblings)


def ranks_of(positions: dict[int, int], requires: list[tuple[int, int]]) -> dict[int, int]:
    def needs(concept: int) -> set[int]:
        return {other for one, other in requires if one == concept} & positions.keys()

    wished = sorted(positions, key=lambda each: (positions[each], each))
    return {concept: rank for rank, concept in enumerate(in_learning_order(wished, needs))}


def guids(candidates: tuple[Candidate, ...]) -> list[str]:
    return [each.guid for each in candidates]


def test_learning_then_reviews_by_relative_overdueness_then_new() -> None:
    queue = order_queue(
        [
            new("later-concept", (2, 0)),
            review("year-old, 3 days late", interval=365, late=3),
            learning("a minute late", 1),
            new("first-concept", (1, 5)),
            review("2 days old, 1 late", interval=2, late=1),
            learning("5 minutes late", 5),
        ],
        NOW,
        PLENTY,
    )
    assert guids(queue.items) == [
        "5 minutes late",
        "a minute late",
        "2 days old, 1 late",
        "year-old, 3 days late",
        "first-concept",
        "later-concept",
    ]


def test_the_hour_of_the_last_review_makes_no_interval_longer() -> None:
    due = NOW.replace(hour=4) - DAY
    late_at_night = Candidate("night", Phase.REVIEW, due, due - DAY - timedelta(hours=4))
    in_the_morning = late_at_night._replace(guid="morning", last_review=due - timedelta(hours=44))
    longer = Candidate("longer", Phase.REVIEW, due - DAY, due - DAY - timedelta(hours=68))
    ages = [relative_overdueness(each, NOW) for each in (late_at_night, in_the_morning, longer)]
    assert ages[0] == ages[1] == pytest.approx(4 / 6)
    assert ages[2] == pytest.approx(7 / 9)
    queue = order_queue([in_the_morning, late_at_night, longer], NOW, PLENTY)
    assert guids(queue.items) == ["longer", "night", "morning"]


def test_what_is_not_due_yet_is_not_in_the_queue() -> None:
    candidates = [learning("soon", -1), review("tomorrow", interval=3, late=-1)]
    assert order_queue(candidates, NOW, PLENTY).items == ()


def test_one_sibling_a_day_but_never_at_the_cost_of_a_learning_step() -> None:
    queue = order_queue(
        [
            learning("step", 3, siblings="a"),
            review("sibling of the step", interval=5, late=1, siblings="a"),
            new("first", (0, 0), siblings="b"),
            new("second", (0, 1), siblings="b"),
            review("answered today's sibling", interval=5, late=1, siblings="c"),
            learning("own step", 2, siblings="c"),
        ],
        NOW,
        PLENTY,
        seen={"c"},
    )
    assert guids(queue.items) == ["step", "own step", "first"]
    assert sorted(guids(queue.buried)) == [
        "answered today's sibling",
        "second",
        "sibling of the step",
    ]


def test_a_new_card_is_held_back_by_a_daily_sibling_for_one_day_at_most() -> None:
    daily, other = review("daily", interval=1, late=0, siblings="a"), new("new", siblings="a")
    first = order_queue([review("due", interval=3, late=0, siblings="a"), other], NOW, PLENTY)
    assert (guids(first.items), guids(first.buried)) == (["due"], ["new"])
    after = order_queue([daily, other], NOW, PLENTY)
    assert (guids(after.items), guids(after.buried)) == (["new"], ["daily"])
    late = order_queue([review("daily", interval=1, late=1, siblings="a"), other], NOW, PLENTY)
    assert guids(late.items) == ["daily"]
    none = DayLimits(new=0, reviews=9, drills=0)
    assert guids(order_queue([daily, other], NOW, none).items) == ["daily"]


def test_limits_count_their_own_kind_and_learning_has_none() -> None:
    drill = Candidate("drill", Phase.NEW, place=(0, 0), drill=True)
    late_drill = Candidate("late drill", Phase.REVIEW, NOW - DAY, NOW - 2 * DAY, drill=True)
    queue = order_queue(
        [
            *[new(f"new {number}", (1, number)) for number in range(3)],
            *[review(f"review {number}", interval=9, late=number + 1) for number in range(3)],
            learning("step", 1),
            drill,
            late_drill,
        ],
        NOW,
        DayLimits(new=1, reviews=2, drills=1),
    )
    assert guids(queue.items) == ["step", "late drill", "review 2", "review 1", "new 0"]


@pytest.mark.parametrize(
    ("kept", "expected"), [(0, ["late 1", "late 0"]), (1, ["late 1", "new 0"])]
)
def test_of_the_drills_of_a_day_some_are_kept_for_new_ones(kept: int, expected: list[str]) -> None:
    drills = [
        *[new(f"new {number}", (0, number))._replace(drill=True) for number in range(2)],
        *[
            review(f"late {number}", interval=9, late=number + 1)._replace(drill=True)
            for number in range(2)
        ],
    ]
    limits = DayLimits(new=9, reviews=9, drills=2, new_drills=kept)
    assert guids(order_queue(drills, NOW, limits).items) == expected


def test_what_waited_longest_is_asked_beyond_the_limit_of_drills() -> None:
    since = NOW.date() - timedelta(days=3)
    due = [
        review(f"waits {number}", interval=9, late=3)._replace(drill=True, late_since=since)
        for number in range(3)
    ]
    today = review("due today", interval=9, late=0)._replace(drill=True)
    candidates = [*due, today, new("new")._replace(drill=True)]
    limits = DayLimits(new=0, reviews=0, drills=2, new_drills=1)

    def asked(overdue: timedelta | None) -> list[str]:
        last = None if overdue is None else NOW.date() - overdue
        return guids(order_queue(candidates, NOW, limits._replace(overdue=last)).items)

    assert asked(None) == ["waits 0", "new"]
    assert asked(4 * DAY) == ["waits 0", "new"]
    assert asked(3 * DAY) == ["waits 0", "waits 1", "waits 2", "new"]


@given(
    st.dictionaries(st.integers(0, 12), st.integers(0, 5), max_size=10),
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=15),
)
def test_every_concept_has_one_rank_and_prerequisites_come_first(
    positions: dict[int, int], pairs: list[tuple[int, int]]
) -> None:
    requires = [(max(pair), min(pair)) for pair in pairs if pair[0] != pair[1]]  # no circles
    ranks = ranks_of(positions, requires)
    assert sorted(ranks.values()) == list(range(len(positions)))
    for concept, prerequisite in requires:
        if concept in positions and prerequisite in positions:
            assert ranks[prerequisite] < ranks[concept]


def test_position_decides_where_prerequisites_leave_a_choice() -> None:
    ranks = ranks_of({1: 30, 2: 20, 3: 10}, [(3, 1)])
    assert sorted(ranks, key=ranks.__getitem__) == [2, 1, 3]


def test_concepts_in_a_circle_come_last_rather_than_never() -> None:
    ranks = ranks_of({1: 1, 2: 2, 3: 3}, [(1, 2), (2, 1)])
    assert sorted(ranks, key=ranks.__getitem__) == [3, 1, 2]
