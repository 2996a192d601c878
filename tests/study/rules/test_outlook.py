"""The day on which each new item is first asked, by the rule that fills a real day."""

from __future__ import annotations

from studyattn.study.rules.budget import HORIZON, Asked, DayPlan, Pace, first_days

PLAN = DayPlan(budget=0, new_cards=2, drills=1)


def card(guid: str) -> Asked:
    return Asked(guid, "basic", new=True)


DRILL = Asked("t:drill/a", "drill-1", new=True)
NEW = {"a": [card("a1"), card("a2"), card("a3"), DRILL], "b": [card("b1")]}


def test_a_drill_comes_on_the_day_after_the_last_card_of_its_concept() -> None:
    assert first_days(NEW, PLAN, Pace()) == {"a1": 0, "a2": 0, "a3": 1, "b1": 1, DRILL.guid: 2}
    later = first_days(NEW, PLAN, Pace(), begun_today=2)
    assert later == {"a1": 1, "a2": 1, "a3": 2, "b1": 2, DRILL.guid: 3}


def test_reviews_take_their_part_of_the_minutes() -> None:
    one_card = Pace().expected(card("a1"))
    plan = DayPlan(budget=1.5 * one_card, new_cards=9, drills=1)
    cards = {"a": [card("a1"), card("a2")]}
    assert first_days(cards, plan, Pace()) == {"a1": 0, "a2": 1}
    assert first_days(cards, plan, Pace(), load=[one_card, one_card]) == {"a1": 2, "a2": 3}
    returning = first_days(cards, plan, Pace(), intervals=[1] * 3)
    assert returning == {"a1": 0, "a2": 2}


def test_what_no_day_has_room_for_has_no_day() -> None:
    plan = DayPlan(budget=1, new_cards=9, drills=1)
    assert first_days({"a": [card("a1")]}, plan, Pace()) == {}
    assert first_days({"a": [card("a1")]}, DayPlan(0, 0, 0), Pace()) == {}
    assert HORIZON > 365
