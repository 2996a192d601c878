"""What stands beside a card: its answers in effect, its concept's neighbours, both with joins."""

from __future__ import annotations

from datetime import timedelta

import pytest

from studyattn.errors import NotFoundError
from studyattn.memory import Rating, Remembered
from studyattn.study.clock import FixedClock
from studyattn.study.concepts import board
from studyattn.study.profile import Profile
from studyattn.study.review import recorder
from studyattn.study.review.beside import read_context
from studyattn.study.review.session import ReviewSession
from tests.study.conftest import AddItem


def test_the_history_ends_with_the_memory_that_the_item_has(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    guid = add()
    assert read_context(profile, guid, "first").answers == ()
    ratings = [Rating.AGAIN, Rating.GOOD, Rating.EASY, Rating.HARD]
    for rating in ratings:
        with ReviewSession(profile, only=(guid,), ahead=True) as session:
            session.answer(rating, 7.0)
        clock.advance(timedelta(days=3))
    with profile.database.read() as connection:
        memory = recorder.memory_of_item(connection, guid)
    found = read_context(profile, guid, "first")
    assert [answer.rating for answer in found.answers] == ratings
    assert isinstance(memory, Remembered)
    assert found.answers[-1].stability == pytest.approx(memory.stability)
    assert found.recall is not None
    assert 0 < found.recall < 1
    recorder.undo(profile)
    assert [answer.rating for answer in read_context(profile, guid, "first").answers] == ratings[:3]


def test_the_neighbours_are_those_of_the_whole_concept(profile: Profile, add: AddItem) -> None:
    guid = add("first")
    found = read_context(profile, guid, "first")
    assert [row.slug for row in found.unlocks] == ["second"]
    assert found.requires == ()
    assert [row.slug for row in read_context(profile, add("second"), "second").requires] == [
        "first"
    ]
    board.merge(profile, "second", "first")
    found = read_context(profile, guid, "first")
    assert (found.requires, found.unlocks) == ((), ())
    assert found.concept.cards == 2


def test_a_concept_that_is_not_there_is_said(profile: Profile, add: AddItem) -> None:
    with pytest.raises(NotFoundError):
        read_context(profile, add(), "nowhere")
