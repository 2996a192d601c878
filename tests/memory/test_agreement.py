"""Agreement with py-fsrs, another implementation in 64-bit floats, given learner-day noons."""

from __future__ import annotations

import random
from datetime import UTC, datetime, time, timedelta

import fsrs
import pytest

from studyattn.memory import (
    LoggedReview,
    New,
    Rating,
    Remembered,
    Scheduler,
    SchedulingSettings,
    learner_day,
)

REGIMES = ("exact days", "up to 3 hours late", "random hours")
HISTORIES = 100  # of each regime


def history(regime: str, draw: random.Random) -> list[LoggedReview]:
    """Reviews at the evening clock of one offset, days apart that suit memory or do not."""
    offset = draw.choice([-480, -300, 0, 60, 330, 540, 765])
    at = datetime(2024, 1, 1, 20, tzinfo=UTC) - timedelta(minutes=offset)
    reviews = []
    for number in range(draw.randint(2, 14)):
        reviews.append(
            LoggedReview(
                uuid=f"{number:04}",
                item_guid="card",
                rating=draw.choice([Rating.AGAIN, Rating.HARD, *[Rating.GOOD] * 4, Rating.EASY]),
                withdraws=None,
                at=at,
                utc_offset=offset,
                learner_day=learner_day(at, offset),
            )
        )
        if regime == "exact days":
            at += timedelta(days=draw.choice([0, 1, 2, 3, 7, 15, 40]))
        elif regime == "up to 3 hours late":
            days = draw.choice([0, 1, 2, 3, 7, 15, 40])
            at += timedelta(days=days, minutes=draw.randrange(1, 180))
        else:
            at += timedelta(minutes=draw.randrange(1, 60 * 24 * 30))
    return reviews


def expected(reviews: list[LoggedReview]) -> fsrs.Card:
    reference = fsrs.Scheduler(enable_fuzzing=False)
    card = fsrs.Card(card_id=1)
    for review in reviews:
        assert review.rating is not None
        noon = datetime.combine(review.learner_day, time(12), tzinfo=UTC)
        card, _ = reference.review_card(card, fsrs.Rating(int(review.rating)), noon)
    return card


@pytest.mark.parametrize("regime", REGIMES)
def test_stability_and_difficulty_agree_with_py_fsrs(regime: str) -> None:
    draw = random.Random(f"agreement {regime}")
    scheduler = Scheduler(SchedulingSettings())
    for _ in range(HISTORIES):
        reviews = history(regime, draw)
        state = scheduler.replay("card", New(), reviews)
        card = expected(reviews)
        assert isinstance(state, Remembered)
        assert state.stability == pytest.approx(card.stability, rel=1e-4, abs=1e-4)
        assert state.difficulty == pytest.approx(card.difficulty, rel=1e-4, abs=1e-4)
        assert state.phase.name == card.state.name.upper()
