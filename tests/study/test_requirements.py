"""The setting `requirements_first`: new cards wait until what their concept requires is settled."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from studyattn.memory import Rating
from studyattn.store.models import ConceptRequires, Item
from studyattn.study import answers, concepts
from studyattn.study.clock import FixedClock
from studyattn.study.learner import Learner
from studyattn.study.queue import due_items
from tests.study.conftest import AddItem


@pytest.fixture
def waiting(learner: Learner) -> Learner:
    """A learner with the setting on; `second` requires `first`."""
    learner.change_setting("requirements_first", "on")
    return learner


def asked(learner: Learner) -> list[str]:
    return [item.guid for item in due_items(learner)]


def test_it_is_off_by_default_and_the_order_alone_has_requirements_first(
    learner: Learner, add: AddItem
) -> None:
    second, first = add("second"), add("first")
    assert asked(learner) == [first, second]


def test_new_cards_wait_until_every_card_of_the_requirement_is_learnt(
    waiting: Learner, add: AddItem, clock: FixedClock
) -> None:
    one, other, builds = add("first"), add("first"), add("second")
    assert asked(waiting) == [one, other]
    answers.answer(waiting, one, Rating.EASY)
    answers.answer(waiting, other, Rating.GOOD)  # a step is left
    assert asked(waiting) == []
    clock.advance(timedelta(minutes=15))
    assert asked(waiting) == [other]
    answers.answer(waiting, other, Rating.GOOD)
    assert asked(waiting) == [builds]


def test_a_forgotten_card_of_the_requirement_holds_back_until_it_is_learnt_again(
    waiting: Learner, add: AddItem, clock: FixedClock
) -> None:
    base, builds = add("first"), add("second")
    answers.answer(waiting, base, Rating.EASY)
    clock.advance(timedelta(days=40))
    answers.answer(waiting, base, Rating.AGAIN)
    assert builds not in asked(waiting)
    clock.advance(timedelta(minutes=15))
    answers.answer(waiting, base, Rating.GOOD)
    assert asked(waiting) == [builds]


def test_what_the_learner_calls_known_holds_nothing_back(waiting: Learner, add: AddItem) -> None:
    base, builds = add("first"), add("second")
    concepts.set_state(waiting, "first", "known")
    assert set(asked(waiting)) == {base, builds}


def test_a_requirement_counts_as_what_it_is_joined_into(waiting: Learner, add: AddItem) -> None:
    add("first")
    builds = add("second")
    with waiting.database.write() as connection:
        from studyattn.store.models import Concept

        connection.execute(insert(Concept).values(id=3, slug="whole", title="Whole", state="known"))
        connection.execute(update(Concept).where(Concept.id == 1).values(joined_into_id=3))
    assert builds in asked(waiting)


def test_suspended_cards_hold_nothing_back(waiting: Learner, add: AddItem) -> None:
    base, builds = add("first"), add("second")
    with waiting.database.write() as connection:
        connection.execute(update(Item).where(Item.guid == base).values(suspended=True))
    assert asked(waiting) == [builds]


def test_in_a_circle_one_goes_ahead(waiting: Learner, add: AddItem) -> None:
    first, second = add("first"), add("second")
    with waiting.database.write() as connection:
        connection.execute(insert(ConceptRequires).values(concept_id=1, requires_id=2))
    assert asked(waiting) == [second]  # its place on the path is the earlier one
    answers.answer(waiting, second, Rating.EASY)
    assert asked(waiting) == [first]
