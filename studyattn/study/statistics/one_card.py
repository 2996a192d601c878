"""One card or drill: its history beside the model's forecasts, and its forgetting curve."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from studyattn.memory import (
    MemoryState,
    New,
    Rating,
    Remembered,
    Scheduler,
    effective_reviews,
    elapsed_days,
)
from studyattn.memory.intervals import retrievability
from studyattn.store.database import Connection
from studyattn.study.records import log_of, starts_of
from studyattn.study.statistics.items import Present
from studyattn.text.counting import count
from studyattn.text.figure import Telling

_POINTS = 48  # of a curve


class PastReview(NamedTuple):
    """A rating in effect, and the memory after it."""

    day: date
    rating: Rating
    seconds: float
    days: int | None  # learner days since the review before; None for the first
    forecast: float | None  # the chance of recall by the model, knowing only what was before
    stability: float  # days, after it
    difficulty: float  # after it


Story = tuple[list[PastReview], MemoryState]
"""The reviews of an item, and what they come to."""


def read_story(connection: Connection, guid: str, scheduler: Scheduler) -> Story:
    """Return the item's reviews that count, the earliest first, and what they come to."""
    log, start = log_of(connection, guid), starts_of(connection, (guid,)).get(guid)
    reviews = effective_reviews(log)
    state: MemoryState = New()
    if start is not None:
        reviews = tuple(review for review in reviews if review.at > start.at)
        state = scheduler.started(start)
    parameters = scheduler.settings.parameters
    past = []
    for review in reviews:
        days = forecast = None
        if isinstance(state, Remembered):
            days = elapsed_days(state.last_day, review.learner_day)
            forecast = retrievability(state.stability, days, parameters) if days else None
        state = scheduler.replay(guid, state, [review])
        if isinstance(state, Remembered) and review.rating is not None:
            past.append(
                PastReview(
                    *(review.learner_day, review.rating, review.seconds, days, forecast),
                    *(state.stability, state.difficulty),
                )
            )
    return past, state


def history(story: Story) -> Telling:
    """All reviews of the item, the latest first; ratings from 1, again, to 4, easy."""
    past, _ = story
    yield [
        (
            *(e.day, e.rating, e.days, e.forecast),
            *(round(e.stability, 2), round(e.difficulty, 2), round(e.seconds, 1)),
        )
        for e in reversed(past)
    ]
    lapses = sum(each.rating is Rating.AGAIN and each.forecast is not None for each in past)
    told = f"Reviewed {count(len(past), 'time')}, forgotten {count(lapses, 'time')}."
    if lapses > 3:
        told += " Reword it: a card you keep forgetting is usually a bad question."
    return told


def curve(story: Story, present: Present, desired: float) -> Telling:
    """The chance of recall by days since the last review, until well after the next one."""
    _, state = story
    if not isinstance(state, Remembered):
        yield []
        return ""
    ago = max(0.0, (present.at - state.last_review) / timedelta(days=1))
    now = retrievability(state.stability, ago, present.parameters)
    due = present.day_of(state.due)
    longest = max(2.0 * (due - state.last_day).days, 1.2 * ago, 1.0)
    days = (longest * place / _POINTS for place in range(_POINTS + 1))
    yield [
        (f"{each:.2f}", retrievability(state.stability, each, present.parameters), desired)
        for each in days
    ]
    left, since = (due - present.today).days, (present.today - state.last_day).days
    when = f"it is due in {count(left, 'day')}" if left > 0 else "it is due"
    return f"Now {now:.1%}, {since} d after the last review; {when}; the target is {desired:.0%}."
