"""Memory, statistics, Today, the queue and undo agree on which reviews are in effect."""

from __future__ import annotations

from datetime import timedelta

import pytest

from studyattn.memory import LoggedReview, New, Rating
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile
from studyattn.study.review import batch, recorder
from studyattn.study.review.pace import Estimator
from studyattn.study.review.rebuild import refold
from studyattn.study.statistics.today import today
from studyattn.study.statistics.totals import statistics
from tests.study.conftest import AddItem


def withdraw_in_a_chain(profile: Profile, review: LoggedReview, length: int) -> None:
    """Append a withdrawal of the review, then one of that withdrawal, and so on."""
    moment = profile.moment()
    chain = [
        LoggedReview(
            uuid=f"withdrawal {number}",
            item_guid=review.item_guid,
            rating=None,
            withdraws=f"withdrawal {number - 1}" if number else review.uuid,
            at=moment.at,
            utc_offset=moment.utc_offset,
            learner_day=profile.day_of(moment),
        )
        for number in range(length)
    ]
    with profile.database.write() as connection:
        recorder.append(connection, chain)
        refold(connection)


def new_cards_done_today(profile: Profile) -> int:
    with profile.database.read() as connection:
        return Estimator(connection, lessons=False).done_on(profile.today()).new_cards


@pytest.mark.parametrize("length", range(6))
def test_a_chain_of_withdrawals_means_the_same_everywhere(
    profile: Profile, add: AddItem, clock: FixedClock, length: int
) -> None:
    guid = add()
    first = batch.answer(profile, guid, Rating.EASY)
    withdraw_in_a_chain(profile, first.review, length)
    counts = length % 2 == 0
    with profile.database.read() as connection:
        assert (recorder.memory_of_item(connection, guid) != New()) == counts
    figures, now = statistics(profile), today(profile)
    assert figures.reviews == sum(figures.ratings.values()) == counts
    assert sum(figures.by_day.values()) == counts
    assert (now.answered, now.streak, now.new) == (counts, counts, not counts)
    assert new_cards_done_today(profile) == counts

    # On a later day the card is new, or was answered before.
    clock.advance(timedelta(days=40))
    batch.answer(profile, guid, Rating.GOOD)
    assert new_cards_done_today(profile) == (not counts)
    assert statistics(profile).retention_of == counts

    assert recorder.undo(profile) is not None
    withdrawn = recorder.undo(profile)
    assert (withdrawn is not None) == counts
    assert recorder.undo(profile) is None
    assert statistics(profile).reviews == 0
