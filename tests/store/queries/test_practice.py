"""Attempts, steps, and the cards that mistakes bring back, as the database keeps them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, update

from studyattn.store.database import Connection, Database
from studyattn.store.models import CardRow, ItemRow
from studyattn.store.queries import practice, queue
from studyattn.store.queries.practice import PracticeHead
from tests.store.conftest import NOW, add_items

DRILL = "p:drill/kv-cache"


def head(uuid: str, minutes: int = 0, guid: str = DRILL) -> PracticeHead:
    at = NOW + timedelta(minutes=minutes)
    return PracticeHead(uuid, guid, at, 60, at.date(), 5.0)


def attempt(
    connection: Connection,
    uuid: str,
    verdict: str = "wrong",
    *,
    guid: str = DRILL,
    revealed: bool = False,
    report: dict[str, Any] | None = None,
) -> None:
    practice.insert_attempt(
        connection,
        head(uuid, guid=guid),
        code="pass",
        backend="numpy",
        device="cpu",
        verdict=verdict,
        report=report or {},
        hints=1,
        revealed=revealed,
    )


def bring_back(connection: Connection, uuid: str, guid: str, at: datetime = NOW) -> None:
    practice.insert_brought_back(
        connection,
        uuid=uuid,
        item_guid=guid,
        attempt_uuid="attempt",
        misconception="scale-missing",
        reason="Back.",
        at=at,
        learner_day=at.date(),
    )


def add_cards(connection: Connection, count: int, **extra: Any) -> None:
    add_items(connection, count)
    connection.execute(
        insert(CardRow),
        [
            {
                "item_id": number,
                "kind": "basic",
                "front": "Why?",
                "back": "",
                "digest": "",
                "extra": extra,
                "sibling_group": "group" if number == 1 else None,
            }
            for number in range(1, count + 1)
        ],
    )


def test_attempts_and_steps_come_back_as_they_were(any_database: Database) -> None:
    with any_database.write() as connection:
        attempt(connection, "one", report={"passed": False})
        practice.insert_step(connection, head("two", 1), kind="hint", number=2, code=None)
    with any_database.read() as connection:
        (graded,) = practice.attempts_at(connection, DRILL)
        (step,) = practice.steps_with(connection, DRILL)
        assert practice.attempts_at(connection, "p:drill/other") == []
    assert (graded.uuid, graded.at, graded.seconds) == ("one", NOW, 5.0)
    assert (graded.report, graded.hints, graded.revealed) == ({"passed": False}, 1, False)
    assert (step.kind, step.number, step.code) == ("hint", 2, None)
    assert step.at == NOW + timedelta(minutes=1)


def test_a_drill_is_summarised_by_its_best_attempt(any_database: Database) -> None:
    with any_database.write() as connection:
        attempt(connection, "1", guid="a")
        attempt(connection, "2", "passed", guid="a")
        attempt(connection, "3", "passed", guid="b", revealed=True)
        attempt(connection, "4", guid="c")
        practice.insert_step(connection, head("5"), kind="revealed", number=0, code=None)
        states = {"a": "passed", "b": "revealed", "c": "tried", DRILL: "revealed"}
        assert practice.drill_states(connection) == states
        assert practice.was_revealed_on(connection, DRILL, NOW.date())
        assert not practice.was_revealed_on(connection, DRILL, NOW.date() + timedelta(days=1))
        outcomes = practice.attempt_outcomes(connection, ["b", "a"])
        assert [each.verdict for each in outcomes] == ["wrong", "passed", "passed"]
        assert practice.attempt_outcomes(connection, []) == []


def test_only_failed_attempts_with_a_diagnosis_are_diagnosed(any_database: Database) -> None:
    named = {"diagnosis": [{"misconceptions": ["scale-missing"]}, {"misconceptions": ["other"]}]}
    with any_database.write() as connection:
        attempt(connection, "1", report=named)
        attempt(connection, "1 again", report=named)
        attempt(connection, "2", "passed", report=named)
        attempt(connection, "3", report={"diagnosis": []})
        attempt(connection, "4")
        (found,) = practice.diagnosed_attempts(connection)
        assert found == (DRILL, 2, NOW, named["diagnosis"][0], 0)  # it passed on the same day
        later = head("5")._replace(learner_day=NOW.date() + timedelta(days=1))
        practice.insert_attempt(
            connection,
            later,
            verdict="passed",
            report={},
            code="",
            backend="numpy",
            device="cpu",
            hints=0,
            revealed=False,
        )
        (found,) = practice.diagnosed_attempts(connection)
        assert found.mended == 1


@pytest.mark.parametrize("column", ["suspended", "retired"])
def test_a_card_that_may_not_be_asked_is_brought_back_by_nothing(
    any_database: Database, column: str
) -> None:
    with any_database.write() as connection:
        add_cards(connection, 2, misconceptions=["scale-missing"])
        connection.execute(update(ItemRow).where(ItemRow.id == 2).values({column: True}))
        connection.execute(update(ItemRow).where(ItemRow.id == 1).values(stability=9.0))
        (written,) = practice.cards_for_mistakes(connection, {1})
        assert written == ("card-0", "group", ["scale-missing"])
        assert practice.cards_for_mistakes(connection, {2}) == []
        assert practice.weakest_cards(connection, 1) == [("card-0", "group", ())]
        bring_back(connection, "row", "card-1")
        assert practice.waiting_cards(connection) == []
        assert queue.planned_dues_of_waiting(connection) == []


def test_the_weakest_cards_are_first_and_new_ones_last(any_database: Database) -> None:
    with any_database.write() as connection:
        add_cards(connection, 3)
        for number, stability in ((1, 9.0), (3, 2.0)):
            connection.execute(
                update(ItemRow).where(ItemRow.id == number).values(stability=stability)
            )
        weakest = practice.weakest_cards(connection, 1)
        assert [each.guid for each in weakest] == ["card-2", "card-0", "card-1"]
        assert practice.cards_for_mistakes(connection, {1}) == []


def test_a_card_is_back_until_it_is_answered_or_let_go(any_database: Database) -> None:
    later = NOW + timedelta(minutes=5)
    with any_database.write() as connection:
        add_cards(connection, 2)
        attempt(connection, "attempt")
        bring_back(connection, "one", "card-0")
        bring_back(connection, "two", "card-0", later)
        bring_back(connection, "three", "card-1", later)
        waiting = practice.waiting_cards(connection, attempt_uuid="attempt")
        assert [(each.guid, each.at) for each in waiting] == [("card-0", later), ("card-1", later)]
        assert practice.waiting_cards(connection, attempt_uuid="other") == []
        assert queue.planned_dues_of_waiting(connection) == [None, None]
        assert practice.came_back_on(connection, "card-0", NOW.date())
        batch = practice.last_batch(connection, DRILL)
        assert batch == (later, "three", "attempt")
        connection.execute(update(ItemRow).where(ItemRow.id == 2).values(last_review=later))
        assert practice.rows_that_hold(connection, "card-1") == ()
        assert practice.let_batch_go(connection, "attempt", later) == 1
        assert practice.waiting_cards(connection) == []
        assert practice.last_batch(connection, DRILL) is None
        practice.hold_batch_again(connection, "attempt", later)
        held = practice.rows_that_hold(connection, "card-0")
        assert set(held) == {"one", "two"}
        practice.let_go(connection, held, later)
        assert practice.rows_that_hold(connection, "card-0") == ()
        practice.hold_again(connection, held, later)
        assert set(practice.rows_that_hold(connection, "card-0")) == {"one", "two"}
