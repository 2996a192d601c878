"""Studying more: what is offered, and sessions ahead of time that do not bend the schedule."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import update

from studyattn.memory import Rating, Remembered, Scheduler
from studyattn.memory.columns import memory_from_columns
from studyattn.store.models import CardRow, ItemRow
from studyattn.store.queries.items import ItemField, load_memory
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile
from studyattn.study.review import batch, browse, item_actions
from studyattn.study.review.more import A_FEW, offers
from studyattn.study.review.session import ReviewSession
from tests.study.conftest import AddItem


def offered(profile: Profile, among: str = "") -> dict[str, list[str]]:
    return {each.title: list(each.guids) for each in offers(profile, among)}


def asked(session: ReviewSession) -> str | None:
    return None if session.current is None else session.current.guid


def memory_of(profile: Profile, guid: str) -> Remembered:
    with profile.database.read() as connection:
        memory = memory_from_columns(load_memory(connection)[guid])
    assert isinstance(memory, Remembered)
    return memory


def test_what_is_offered_of_everything(profile: Profile, add: AddItem, clock: FixedClock) -> None:
    forgotten, marked, easy, suspended = (add() for _ in range(4))
    new = [add("second") for _ in range(A_FEW + 2)]
    drill = add(kind="drill")
    batch.answer(profile, forgotten, Rating.EASY)
    batch.answer(profile, easy, Rating.EASY)
    clock.advance(timedelta(days=1))
    batch.answer(profile, forgotten, Rating.AGAIN)
    item_actions.change(profile, marked, ItemField.MARKED, True)
    item_actions.change(profile, suspended, ItemField.SUSPENDED, True)
    found = offered(profile)
    assert found["Forgotten today"] == [forgotten]
    assert found["Marked"] == [marked]
    assert found["The hardest"] == [forgotten, easy]
    assert found["New ones"] == new[:A_FEW]  # "second" is the first on the path
    assert found["Ahead of time, soonest due first"] == [easy]
    assert drill not in {guid for guids in found.values() for guid in guids}


def test_what_is_offered_of_a_concept_and_of_a_search(profile: Profile, add: AddItem) -> None:
    first, second = add("first", front="What is a row?"), add("second")
    assert offered(profile, "concept:first") == {"All of these": [first]}
    assert offered(profile, "row?") == {"All of these": [first]}
    assert offered(profile, "concept:second") == {"All of these": [second]}
    assert offered(profile, "concept:none") == {}
    batch.answer(profile, first, Rating.EASY)
    assert offered(profile, "concept:first") == {"All of these": [first]}
    third = add("first")
    assert offered(profile, "concept:first")["Ten of these, not reviewed today"] == [third]


def test_the_cards_of_a_mistake_are_found(profile: Profile, add: AddItem) -> None:
    card, _ = add(), add()
    with profile.database.write() as connection:
        extra = {"misconceptions": ["scale-missing"]}
        connection.execute(
            update(CardRow)
            .where(CardRow.item_id == ItemRow.id, ItemRow.guid == card)
            .values(extra=extra)
        )
    assert [each.guid for each in browse.search(profile, "mistake:scale-missing")] == [card]
    assert browse.search(profile, "mistake:scale") == []


@pytest.mark.parametrize("days", [0, 3])
def test_an_answer_ahead_of_time_counts_the_days_that_really_passed(
    profile: Profile, add: AddItem, clock: FixedClock, days: int
) -> None:
    profile.change_setting("fuzz", "off")
    guid = add()
    batch.answer(profile, guid, Rating.EASY)
    before = memory_of(profile, guid)
    clock.advance(timedelta(days=days))
    with ReviewSession(profile, only=(guid,)) as session:
        assert asked(session) is None
    with ReviewSession(profile, only=(guid,), ahead=True) as session:
        assert asked(session) == guid
        promised = session.choices()[2]
        session.answer(Rating.GOOD)
        assert asked(session) is None
    after, moment = memory_of(profile, guid), profile.moment()
    on_time = Scheduler(profile.settings.scheduling).answer(
        guid, before, Rating.GOOD, before.due, moment.utc_offset
    )
    assert after.due == promised.due
    assert before.due <= after.due < on_time.due
    assert before.stability <= after.stability < on_time.stability


def test_a_session_ahead_of_time_asks_what_is_due_first_and_undo_brings_back(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    later, soon, new = add(), add(), add()
    batch.answer(profile, soon, Rating.GOOD)
    batch.answer(profile, later, Rating.EASY)
    clock.advance(timedelta(minutes=11))
    batch.answer(profile, soon, Rating.GOOD)
    with ReviewSession(profile, only=(later, soon, new), ahead=True) as session:
        order = []
        while (guid := asked(session)) is not None:
            order.append(guid)
            session.answer(Rating.EASY)
        assert order == [new, soon, later]
        session.undo()
        assert asked(session) == later
