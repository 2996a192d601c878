"""Memory, statistics, Today, the queue and undo agree on which reviews are in effect."""

from __future__ import annotations

from datetime import timedelta

import pytest

from studyattn.memory import LoggedReview, New, Rating
from studyattn.store.engine import driver_of
from studyattn.study import answers, journal
from studyattn.study.clock import FixedClock
from studyattn.study.learner import Learner
from studyattn.study.queue import done_today
from studyattn.study.rebuild import refold
from studyattn.study.statistics import statistics
from studyattn.study.timing import Kinds
from studyattn.study.today import today
from tests.study.conftest import AddItem


def withdraw_in_a_chain(learner: Learner, review: LoggedReview, length: int) -> None:
    """Append a withdrawal of the review, then one of that withdrawal, and so on."""
    moment = learner.moment()
    chain = [
        LoggedReview(
            uuid=f"withdrawal {number}",
            item_guid=review.item_guid,
            rating=None,
            withdraws=f"withdrawal {number - 1}" if number else review.uuid,
            at=moment.at,
            utc_offset=moment.utc_offset,
            learner_day=learner.day_of(moment),
        )
        for number in range(length)
    ]
    with learner.database.write() as connection:
        journal.append(connection, chain)
        refold(connection)


def new_cards_done_today(learner: Learner) -> int:
    with learner.database.read() as connection:
        return done_today(driver_of(connection), learner.today(), Kinds(learner.home)).new_cards


@pytest.mark.parametrize("length", range(6))
def test_a_chain_of_withdrawals_means_the_same_everywhere(
    learner: Learner, add: AddItem, clock: FixedClock, length: int
) -> None:
    guid = add()
    first = answers.answer(learner, guid, Rating.EASY)
    withdraw_in_a_chain(learner, first.review, length)
    counts = length % 2 == 0
    with learner.database.read() as connection:
        assert (journal.memory_of_item(connection, guid) != New()) == counts
    figures, now = statistics(learner), today(learner)
    assert figures.reviews == sum(figures.ratings.values()) == counts
    assert sum(figures.by_day.values()) == counts
    assert (now.answered, now.streak, now.new) == (counts, counts, not counts)
    assert new_cards_done_today(learner) == counts

    # On a later day the card is new, or was answered before.
    clock.advance(timedelta(days=40))
    answers.answer(learner, guid, Rating.GOOD)
    assert new_cards_done_today(learner) == (not counts)
    assert statistics(learner).retention_of == counts

    assert answers.undo(learner) is not None
    withdrawn = answers.undo(learner)
    assert (withdrawn is not None) == counts
    assert answers.undo(learner) is None
    assert statistics(learner).reviews == 0
