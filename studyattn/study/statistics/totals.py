"""Looking back: how much, how well, how it is spread, and how good the forecasts were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from sqlalchemy import Date, bindparam, case, func, select, text

from studyattn.memory import Phase, Rating, Scheduler
from studyattn.memory.fit import FEWEST_REVIEWS, Fit, fit
from studyattn.setting import FITTED_PARAMETERS
from studyattn.store.engine import driver_of
from studyattn.store.models import ConceptRow, ItemRow, ReviewRow
from studyattn.store.queries.review_log import in_effect
from studyattn.study.profile import Profile
from studyattn.study.records import logged, select_reviews
from studyattn.study.review.pace import seconds_a_card
from studyattn.study.review.rebuild import recompute
from studyattn.study.rules.budget import LONGEST_ANSWER
from studyattn.study.settings import read_settings
from studyattn.study.state import put_state, remove_state
from studyattn.study.statistics.today import reviews_by_day, today

HISTORY_DAYS = 365
HELD_BOUNDS = (1, 7, 21, 90, 365)  # days; the classes of `Statistics.held`

# `budget.counted_seconds` in SQL.
_COUNTED = case(
    (ReviewRow.seconds <= LONGEST_ANSWER, ReviewRow.seconds),
    (ReviewRow.item_guid.contains(":drill/"), ReviewRow.seconds),
    else_=LONGEST_ANSWER,
)


@dataclass(frozen=True, slots=True)
class Statistics:
    """The learner's figures."""

    items: int
    by_phase: Mapping[Phase, int]
    suspended: int
    leeches: int
    concepts: Mapping[str, int]  # by state
    reviews: int  # in effect: given and not taken back
    ratings: Mapping[Rating, int]
    retention: float | None  # of the last 30 days: recalled ÷ asked, of items held for days
    retention_of: int  # reviews that this is measured on
    seconds: float  # spent on answers, in all; of one to a card at most LONGEST_ANSWER
    seconds_a_card: float
    streak: int
    by_day: Mapping[date, int]  # reviews of each of the last HISTORY_DAYS learner days that had any
    held: Mapping[str, int]  # items by how long they hold: "under 1 d", "1 to 7 d", …
    forecast: tuple[tuple[date, int], ...]
    own_parameters: bool


def statistics(profile: Profile) -> Statistics:
    """All figures, as of now."""
    now = today(profile)
    with profile.database.read() as connection:
        by_phase = Counter(
            {
                Phase(phase): count
                for phase, count in connection.execute(
                    select(ItemRow.phase, func.count())
                    .where(~ItemRow.retired)
                    .group_by(ItemRow.phase)
                )
            }
        )
        concepts: dict[str, int] = dict(
            connection.execute(
                select(ConceptRow.state, func.count())
                .where(~ConceptRow.retired, ConceptRow.joined_into_id.is_(None))
                .group_by(ConceptRow.state)
            ).all()
        )
        ratings = {
            Rating(rating): count
            for rating, count in connection.execute(
                text(f"SELECT rating, count(*) FROM review WHERE {in_effect()} GROUP BY rating")  # noqa: S608 - a constant
            )
        }
        recalled, asked = connection.execute(
            _RETENTION, {"since": now.day - timedelta(days=30)}
        ).one()
        limit = profile.settings.scheduling.leech_lapses
        count = select(func.count()).select_from(ItemRow).where(~ItemRow.retired)
        return Statistics(
            items=now.items,
            by_phase=by_phase,
            suspended=connection.execute(count.where(ItemRow.suspended)).scalar_one(),
            leeches=connection.execute(count.where(ItemRow.lapses >= limit)).scalar_one(),
            concepts=concepts,
            reviews=sum(ratings.values()),
            ratings=ratings,
            retention=recalled / asked if asked else None,
            retention_of=asked,
            seconds=round(connection.scalar(select(func.sum(_COUNTED))) or 0.0, 3),
            seconds_a_card=seconds_a_card(driver_of(connection)),
            streak=now.streak,
            by_day=reviews_by_day(connection, now.day - timedelta(days=HISTORY_DAYS - 1)),
            held=_held(
                connection.scalars(
                    select(ItemRow.stability).where(
                        ItemRow.stability.is_not(None), ~ItemRow.retired
                    )
                ).all()
            ),
            forecast=now.forecast,
            own_parameters=profile.settings.scheduling.parameters
            != Scheduler().settings.parameters,
        )


def fit_parameters(profile: Profile) -> Fit | None:
    """Fit the model to the learner's log and use the result if it wins on later reviews.

    None while the log has too few reviews to judge by (`FEWEST_REVIEWS`). When the learner's own
    parameters lose, the defaults are used again. Either way every item is recomputed at once.
    """
    with profile.database.read() as connection:
        log = logged(connection.execute(select_reviews()))
    result = fit(log, profile.settings.scheduling)
    if result is None:
        return None
    with profile.database.write() as connection:
        if result.adopted:
            put_state(connection, FITTED_PARAMETERS, list(result.parameters))
        else:
            remove_state(connection, FITTED_PARAMETERS)
        recompute(connection, Scheduler(read_settings(connection).scheduling))
    profile.reload()
    return result


# The first answer of a learner day to an item that was seen on an earlier one.
_RETENTION = text(
    f"""
SELECT coalesce(sum(CASE WHEN rating > 1 THEN 1 ELSE 0 END), 0), count(*) FROM (
    SELECT review.rating, row_number() OVER (
        PARTITION BY review.item_guid, review.learner_day ORDER BY review.id) AS place
    FROM review
    WHERE review.learner_day >= :since AND {in_effect()}
      AND EXISTS (SELECT 1 FROM review AS before WHERE before.item_guid = review.item_guid
                  AND before.learner_day < review.learner_day AND {in_effect("before")})
) AS answers WHERE place = 1"""  # noqa: S608 - constants only
).bindparams(bindparam("since", type_=Date()))


def _held(stabilities: Sequence[float | None]) -> dict[str, int]:
    counts = dict.fromkeys(_held_labels(), 0)
    labels = list(counts)
    for stability in stabilities:
        index = sum((stability or 0.0) >= bound for bound in HELD_BOUNDS)
        counts[labels[index]] += 1
    return counts


def _held_labels() -> list[str]:
    between = [f"{low} to {high} d" for low, high in pairwise(HELD_BOUNDS)]
    return [f"under {HELD_BOUNDS[0]} d", *between, f"over {HELD_BOUNDS[-1]} d"]


__all__ = ["FEWEST_REVIEWS", "Fit", "Statistics", "fit_parameters", "statistics"]
