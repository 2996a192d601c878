"""The setting `requirements_first`: new cards wait until what their concept requires is settled."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from studyattn.memory import Rating
from studyattn.store.models import ConceptRequiresRow, ItemRow
from studyattn.study.clock import FixedClock
from studyattn.study.concepts import board
from studyattn.study.profile import Profile
from studyattn.study.review import batch
from studyattn.study.review.queue import due_items
from tests.study.conftest import AddItem


@pytest.fixture
def waiting(profile: Profile) -> Profile:
    """A learner with the setting on; `second` requires `first`."""
    profile.change_setting("requirements_first", "on")
    return profile


def asked(profile: Profile) -> list[str]:
    return [item.guid for item in due_items(profile)]


def test_it_is_off_by_default_and_the_order_alone_has_requirements_first(
    profile: Profile, add: AddItem
) -> None:
    second, first = add("second"), add("first")
    assert asked(profile) == [first, second]


def test_new_cards_wait_until_every_card_of_the_requirement_is_learnt(
    waiting: Profile, add: AddItem, clock: FixedClock
) -> None:
    one, other, builds = add("first"), add("first"), add("second")
    assert asked(waiting) == [one, other]
    batch.answer(waiting, one, Rating.EASY)
    batch.answer(waiting, other, Rating.GOOD)  # a step is left
    assert asked(waiting) == []
    clock.advance(timedelta(minutes=15))
    assert asked(waiting) == [other]
    batch.answer(waiting, other, Rating.GOOD)
    assert asked(waiting) == [builds]


def test_a_forgotten_card_of_the_requirement_holds_back_until_it_is_learnt_again(
    waiting: Profile, add: AddItem, clock: FixedClock
) -> None:
    base, builds = add("first"), add("second")
    batch.answer(waiting, base, Rating.EASY)
    clock.advance(timedelta(days=40))
    batch.answer(waiting, base, Rating.AGAIN)
    assert builds not in asked(waiting)
    clock.advance(timedelta(minutes=15))
    batch.answer(waiting, base, Rating.GOOD)
    assert asked(waiting) == [builds]


def test_what_the_learner_calls_known_holds_nothing_back(waiting: Profile, add: AddItem) -> None:
    base, builds = add("first"), add("second")
    board.set_state(waiting, "first", "known")
    assert set(asked(waiting)) == {base, builds}


def test_a_requirement_counts_as_what_it_is_joined_into(waiting: Profile, add: AddItem) -> None:
    add("first")
    builds = add("second")
    with waiting.database.write() as connection:
        from studyattn.store.models import ConceptRow

        connection.execute(
            insert(ConceptRow).values(id=3, slug="whole", title="Whole", state="known")
        )
        connection.execute(update(ConceptRow).where(ConceptRow.id == 1).values(joined_into_id=3))
    assert builds in asked(waiting)


def test_suspended_cards_hold_nothing_back(waiting: Profile, add: AddItem) -> None:
    base, builds = add("first"), add("second")
    with waiting.database.write() as connection:
        connection.execute(update(ItemRow).where(ItemRow.guid == base).values(suspended=True))
    assert asked(waiting) == [builds]


def test_in_a_circle_one_goes_ahead(waiting: Profile, add: AddItem) -> None:
    first, second = add("first"), add("second")
    with waiting.database.write() as connection:
        connection.execute(insert(ConceptRequiresRow).values(concept_id=1, requires_id=2))
    assert asked(waiting) == [second]  # its place on the path is the earlier one
    batch.answer(waiting, second, Rating.EASY)
    assert asked(waiting) == [first]
