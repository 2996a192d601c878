"""Review histories for tests: drawn by hypothesis, or made by a seeded learner who forgets."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from studyattn.memory import (
    LoggedReview,
    New,
    Rating,
    Remembered,
    Scheduler,
    SchedulingSettings,
    learner_day,
)
from studyattn.memory.intervals import retrievability

START = datetime(2024, 3, 1, 12, tzinfo=UTC)


def logged(
    number: int,
    at: datetime,
    rating: Rating | None,
    *,
    guid: str = "card",
    offset: int = 0,
    withdraws: str | None = None,
) -> LoggedReview:
    return LoggedReview(
        uuid=f"row-{number:06}",
        item_guid=guid,
        rating=rating,
        withdraws=withdraws,
        at=at,
        utc_offset=offset,
        learner_day=learner_day(at, offset),
    )


@st.composite
def review_lists(draw: st.DrawFn, max_size: int = 12) -> list[LoggedReview]:
    """Reviews of one item that all stand, in order; minutes to months apart, offsets changing."""
    gaps = draw(
        st.lists(
            st.one_of(
                st.timedeltas(timedelta(0), timedelta(minutes=30)),
                st.timedeltas(timedelta(hours=1), timedelta(days=200)),
            ),
            max_size=max_size,
        )
    )
    reviews = []
    at = START
    for number, gap in enumerate(gaps):
        at += gap
        offset = draw(st.integers(-12 * 60, 14 * 60))
        reviews.append(logged(number, at, draw(st.sampled_from(Rating)), offset=offset))
    return reviews


@st.composite
def logs(draw: st.DrawFn) -> list[LoggedReview]:
    """Rows of one item with withdrawals, withdrawals of withdrawals, and unknown targets."""
    rows = draw(review_lists())
    for _ in range(draw(st.integers(0, 6))):
        number = len(rows)
        target = draw(st.sampled_from([row.uuid for row in rows] or ["row-elsewhere"]))
        at = START + draw(st.timedeltas(timedelta(0), timedelta(days=400)))
        rows.append(logged(number, at, None, withdraws=target))
    return rows


def forgetful_log(seed: int, cards: int, parameters: tuple[float, ...]) -> list[LoggedReview]:
    """Ten reviews a card by a learner whose recall follows `parameters`, days of delay included."""
    draw = random.Random(seed)
    scheduler = Scheduler(SchedulingSettings(parameters=parameters))
    log: list[LoggedReview] = []
    for card in range(cards):
        guid, at = f"card-{card}", START + timedelta(days=draw.randrange(200))
        state: New | Remembered = New()
        for _ in range(10):
            rating = _recall(draw, state, at, parameters)
            log.append(logged(len(log), at, rating, guid=guid))
            state = scheduler.answer(guid, state, rating, at, 0)
            at = state.due + timedelta(hours=draw.randrange(1, 12))
            if draw.random() < 0.5:
                at += timedelta(days=draw.randrange(1, 30))
    return log


def _recall(
    draw: random.Random, state: New | Remembered, at: datetime, parameters: tuple[float, ...]
) -> Rating:
    if isinstance(state, New):
        return draw.choice([Rating.AGAIN, Rating.HARD, Rating.GOOD, Rating.GOOD, Rating.EASY])
    days = max(0, (learner_day(at, 0) - state.last_day).days)
    if draw.random() > retrievability(state.stability, days, parameters):
        return Rating.AGAIN
    return draw.choice([Rating.HARD, Rating.GOOD, Rating.GOOD, Rating.GOOD, Rating.EASY])
