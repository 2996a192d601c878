"""Looking back: how much was studied, how well, and how good the forecasts were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from studyattn.memory import Phase, Rating, Scheduler
from studyattn.memory.columns import review_from_columns
from studyattn.memory.fit import FEWEST_REVIEWS, Fit, fit
from studyattn.setting import FITTED_PARAMETERS
from studyattn.store.queries import totals as queries
from studyattn.store.queries.days import DayTotal, day_totals
from studyattn.store.queries.decisions import choose_setting
from studyattn.store.queries.review_log import all_reviews
from studyattn.study.profile import Profile
from studyattn.study.records import starts_of
from studyattn.study.review.pace import SECONDS, seconds_a_card
from studyattn.study.review.recompute import recompute
from studyattn.study.settings import read_settings
from studyattn.study.statistics.retention import Recall
from studyattn.study.statistics.summary import Statistics, summary_sentences
from studyattn.study.statistics.today import forecast, look_back

HISTORY_DAYS = 365
RETENTION_DAYS = 30  # learner days, today among them
HELD_BOUNDS = (1, 7, 21, 90, 365)  # days; the classes of `Statistics.held`


def statistics(profile: Profile) -> Statistics:
    """Return all figures, as of now."""
    moment = profile.moment()
    today = profile.day_of(moment)
    scheduling = profile.settings.scheduling
    with profile.database.read() as connection:
        items = queries.item_totals(
            connection, leech_lapses=scheduling.leech_lapses, bounds=HELD_BOUNDS
        )
        days = list(day_totals(connection, SECONDS))
        concepts = queries.concepts_by_state(connection)
        begun = queries.count_begun_concepts(connection)
        seconds = seconds_a_card(connection)
        coming = forecast(connection, profile, moment)
    streak, _ = look_back(days, today, profile.settings.scheduling.share)
    ratings = {rating: sum(getattr(day, rating.name.lower()) for day in days) for rating in Rating}
    month = [day for day in days if day.day >= today - timedelta(days=RETENTION_DAYS - 1)]
    asked = sum(day.asked for day in month)
    year = [day for day in days if day.day >= today - timedelta(days=HISTORY_DAYS - 1)]
    figures = Statistics(
        items=items.items,
        by_phase=Counter({Phase(phase): number for phase, number in items.by_phase.items()}),
        suspended=items.suspended,
        leeches=items.leeches,
        concepts=concepts,
        concepts_begun=begun,
        reviews=sum(ratings.values()),
        ratings={rating: number for rating, number in ratings.items() if number},
        retention=sum(day.recalled for day in month) / asked if asked else None,
        retention_of=asked,
        seconds=round(sum(day.seconds for day in days), 3),
        seconds_a_card=seconds,
        streak=streak,
        by_day={day.day: day.reviews for day in reversed(year) if day.reviews},
        minutes={day.day: day.seconds / 60 for day in reversed(year)},
        months=_months(year),
        held=_held(items.by_stability),
        forecast=coming,
        own_parameters=scheduling.parameters != Scheduler().settings.parameters,
    )
    return replace(figures, meaning=summary_sentences(figures, scheduling.desired_retention))


def fit_parameters(profile: Profile) -> Fit | None:
    """Fit the model to the learner's log and use the result if it wins on later reviews.

    None while the log has too few reviews to judge by (`FEWEST_REVIEWS`). When the learner's own
    parameters lose, the defaults are used again. Either way every item is recomputed at once.
    """
    with profile.database.read() as connection:
        log = list(map(review_from_columns, all_reviews(connection)))
        starts = starts_of(connection)
    result = fit(log, profile.settings.scheduling, starts)
    if result is None:
        return None
    with profile.database.write() as connection:
        chosen = list(result.parameters) if result.adopted else None
        choose_setting(connection, FITTED_PARAMETERS, chosen, profile.clock.now())
        recompute(connection, Scheduler(read_settings(connection).scheduling))
    profile.reload()
    return result


def _months(days: Iterable[DayTotal]) -> dict[str, Recall]:
    """Return the retention of each month with answers that measure it, in order."""
    asked: Counter[str] = Counter()
    recalled: Counter[str] = Counter()
    for each in days:
        asked[f"{each.day:%Y-%m}"] += each.asked
        recalled[f"{each.day:%Y-%m}"] += each.recalled
    return {month: Recall(asked[month], recalled[month]) for month in sorted(asked) if asked[month]}


def _held(classes: Mapping[int, int]) -> dict[str, int]:
    """Name the classes of HELD_BOUNDS that items' stabilities, in days, fall into."""
    between = [f"{low} to {high} d" for low, high in pairwise(HELD_BOUNDS)]
    labels = [f"under {HELD_BOUNDS[0]} d", *between, f"over {HELD_BOUNDS[-1]} d"]
    return {label: classes.get(place, 0) for place, label in enumerate(labels)}


__all__ = ["FEWEST_REVIEWS", "Fit", "Statistics", "fit_parameters", "statistics"]
