"""The learner's answers, read from the log: ratings, and recall beside its forecasts.

Simulations of days to come need it, besides the pace (`review.pace`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from studyattn.memory import Rating
from studyattn.memory.fit import Outcomes, outcomes_of
from studyattn.store.log_values import stored_day, stored_instant
from studyattn.store.queries.answers import rated_rows
from studyattn.store.queries.chosen import Chosen
from studyattn.store.queries.days import DayTotal
from studyattn.store.sql import Connection
from studyattn.study.records import starts_of
from studyattn.study.rules.evenings import Recall
from studyattn.study.rules.pace import Pace
from studyattn.study.rules.simulation import Learner

RATED: Final = 100  # answers from which the learner's own shares of ratings are used
_FORECASTS: Final = 1000
"""Reviews of which it is asked how many were recalled: that shows it to one or two percent."""
_NEVER: Final = datetime.max.replace(tzinfo=UTC)  # begins what was learned before its log began


def learner_of(pace: Pace, totals: Iterable[DayTotal]) -> Learner:
    """Return how the learner answers, by their pace and the totals of the latest days."""
    names = [rating.name.lower() for rating in Rating if rating is not Rating.AGAIN]
    days = list(totals)
    shares = tuple(float(sum(getattr(day, name) for day in days)) for name in names)
    return Learner(pace, recalled=shares) if sum(shares) >= RATED else Learner(pace)


def recall_of(connection: Connection, parameters: Sequence[float]) -> Recall:
    """Return what the latest reviews show of recall beside its forecasts."""
    outcomes, _ = outcomes_in(connection, Chosen(), _FORECASTS)
    forecasts = outcomes.forecasts(parameters) if outcomes.histories else []
    return Recall.of(forecasts, sum(outcomes.recalled))


def outcomes_in(connection: Connection, chosen: Chosen, most: int) -> tuple[Outcomes, int]:
    """Return about so many reviews of chosen items and what came of them; of one item in N."""
    read = rated_rows(connection, chosen, most)
    starts = starts_of(connection, list(dict.fromkeys(guid for guid, *_ in read.rows)))
    begins = {
        guid: stored_instant(start.at if start.interval is None else _NEVER)
        for guid, start in starts.items()
    }
    reviews = (
        (guid, day, rating)
        for guid, at, day, rating in read.rows
        if guid not in begins or at > begins[guid]
    )
    first = stored_day(chosen.first) if chosen.first else None
    return outcomes_of(reviews, first), read.share
