"""Mistakes read from reports, old ones too, and the cards that they bring back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from studyattn.store.queries.practice import CuringCard, DiagnosedAttempts
from studyattn.study.rules.mistakes import (
    OF_THE_CONCEPT,
    RecognisedMistake,
    cards_instead,
    cards_written_for,
    mistakes_by_concept,
    recognised,
)

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
MISTAKE = RecognisedMistake("scale-missing", "No scale.", "scaling", in_values=True)


def diagnosis(*names: str, cases: str = "3/4", **fields: Any) -> dict[str, Any]:
    mistakes = [{"id": each, "title": f"{each}.", "concept": "scaling"} for each in names]
    return {"misconceptions": list(names), "cases": cases, "mistakes": mistakes, **fields}


def test_a_report_names_several_mistakes_made_at_once_or_none() -> None:
    report = {"diagnosis": [diagnosis("a", "b"), diagnosis("c")]}
    assert [each.id for each in recognised(report)] == ["a", "b"]
    assert recognised({"diagnosis": []}) == ()
    assert recognised({}) == ()


def test_a_mistake_that_explains_no_case_is_not_in_the_values() -> None:
    (shown,) = recognised({"diagnosis": [diagnosis("a")]})
    (happened,) = recognised({"diagnosis": [diagnosis("a", cases="0/4")]})
    assert (shown.in_values, happened.in_values) == (True, False)


def test_old_reports_have_one_title_and_one_concept_for_all() -> None:
    old = {"misconceptions": ["a", "b"], "title": "Both.", "concept": "scaling", "cases": "1/1"}
    found = recognised({"diagnosis": [old]})
    assert found == tuple(RecognisedMistake(name, "Both.", "scaling", True) for name in "ab")


def test_mistakes_are_counted_by_concept_and_the_latest_is_first() -> None:
    attempts = [
        DiagnosedAttempts("p:drill/x", 1, NOON + timedelta(hours=hour), diagnosis(name), mended=0)
        for hour, name in enumerate(("a", "b", "a"))
    ]
    (last, first) = mistakes_by_concept(attempts)["scaling"]
    assert (last.misconception, last.times, last.drill) == ("a", 2, "x")
    assert (first.misconception, first.times, first.last) == ("b", 1, NOON + timedelta(hours=1))


def test_one_card_of_each_group_of_siblings_comes_back() -> None:
    cards = [
        CuringCard("one", "group", ["scale-missing"]),
        CuringCard("two", "group", ["scale-missing"]),
        CuringCard("three", None, ["mask-missing"]),
        CuringCard("four", None, ["mask-missing", "scale-missing"]),
        CuringCard("five", None, ["scale-missing"]),
    ]
    assert cards_written_for(MISTAKE, cards) == ["one", "four", "five"]


def test_the_weakest_cards_come_back_instead_but_few() -> None:
    groups = ("a", "a", None, "b", "b", None, None)
    weakest = [CuringCard(str(number), group) for number, group in enumerate(groups)]
    assert cards_instead(weakest) == ["0", "2", "3"]
    assert len(cards_instead(weakest)) == OF_THE_CONCEPT
