"""How a backlog is spread: all of it, evenly, by days of study."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from studyattn.study.rules.days_ahead import (
    BacklogPlan,
    spread_over,
    suggested_days,
    with_backlog,
)

MONDAY = date(2026, 3, 2)
DAY = timedelta(days=1)


def plan(days: int, cards: int) -> BacklogPlan:
    return BacklogPlan(MONDAY, days, datetime(2026, 3, 2, 3, tzinfo=UTC), cards)


def always(_: date) -> float:
    return 1.0


@given(
    days=st.integers(1, 30),
    cards=st.integers(0, 500),
    shares=st.lists(st.sampled_from((0.0, 0.5, 1.0)), min_size=6, max_size=6),
)
def test_a_plan_that_is_kept_asks_all_cards_evenly_on_days_with_a_share(
    days: int, cards: int, shares: list[float]
) -> None:
    def share(day: date) -> float:
        return (*shares, 1.0)[day.weekday()]

    made = plan(days, cards)
    spread = spread_over(made, cards, MONDAY, share)
    assert sum(number for _, number in spread) == cards
    assert len(spread) == days
    assert all(share(day) for day, _ in spread)
    amounts = [number for _, number in spread]
    assert max(amounts) - min(amounts) <= 1
    # Following it does not change it: what is left of the day, then the days after.
    waiting = cards
    for place, (day, number) in enumerate(spread):
        assert spread_over(made, waiting, day, share)[0] == (day, number)
        waiting -= number
        assert spread_over(made, waiting, day, share) == ((day, 0), *spread[place + 1 :])
    assert spread_over(made, waiting, spread[-1][0] + DAY, share) == ()


def test_a_missed_day_is_made_up_for() -> None:
    spread = spread_over(plan(4, 40), 40, MONDAY + DAY, always)
    assert [number for _, number in spread] == [20, 10, 10]


def test_counts_with_a_plan() -> None:
    spread = spread_over(plan(3, 30), 30, MONDAY, always)
    assert with_backlog([35, 2, 3, 4], MONDAY, 30, spread) == [15, 12, 13, 4]
    assert with_backlog([35, 2], MONDAY, 30, spread) == [15, 12]
    assert with_backlog([35, 2], MONDAY, 30, ()) == [35, 2]


def test_the_days_that_are_suggested() -> None:
    assert suggested_days(60 * 60, 20 * 60) == 6
    assert suggested_days(60 * 60, 0) == 6
    assert suggested_days(60, 20 * 60) == 2


def test_a_plan_is_stored_as_json_and_anything_else_is_none() -> None:
    made = plan(5, 400)
    assert BacklogPlan.read(made.stored()) == made
    broken = [{**made.stored(), key: None} for key in made.stored()]
    others: tuple[object, ...] = (None, "x", [], {}, {**made.stored(), "days": 0})
    for stored in (*others, *broken):
        assert BacklogPlan.read(stored) is None
