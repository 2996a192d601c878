"""The summary of all studying, and what its figures mean for the learner today; the fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from itertools import groupby, pairwise, takewhile
from typing import NamedTuple

from studyattn.memory import Phase, Rating, Scheduler
from studyattn.memory.columns import review_from_columns
from studyattn.memory.fit import FEWEST_REVIEWS, Fit, fit
from studyattn.setting import FITTED_PARAMETERS
from studyattn.store.queries import days as queries
from studyattn.store.queries.days import DayTotal, day_totals
from studyattn.store.queries.decisions import choose_setting
from studyattn.store.queries.review_log import all_reviews
from studyattn.study.profile import Profile
from studyattn.study.records import starts_of
from studyattn.study.review.pace import SECONDS, Estimator
from studyattn.study.review.recompute import recompute
from studyattn.study.settings import read_settings
from studyattn.study.statistics.tally import Tally
from studyattn.study.statistics.today import forecast, look_back
from studyattn.text.counting import count

__all__ = ["FEWEST_REVIEWS", "Fit", "Statistics", "fit_parameters", "statistics"]

HISTORY_DAYS = 365
RETENTION_DAYS = 30  # learner days, today among them
HELD_BOUNDS = (1, 7, 21, 90, 365)  # days; the classes of `Statistics.held`
_FEWEST = 30  # answers from which a share says something


class Statistics(NamedTuple):
    """The learner's figures."""

    items: int
    by_phase: Mapping[Phase, int]
    suspended: int
    leeches: int
    concepts: Mapping[str, int]  # by state
    concepts_begun: int  # of which something was asked, or whose state is not unseen
    reviews: int  # in effect: given and not taken back
    ratings: Mapping[Rating, int]
    retention: float | None  # of the last 30 days: recalled ÷ asked, of items held for days
    retention_of: int  # reviews that this is measured on
    seconds: float  # spent on answers, in all; of one to a card at most SECONDS.longest
    seconds_a_card: float
    streak: int
    by_day: Mapping[date, int]  # reviews of each of the last HISTORY_DAYS learner days that had any
    minutes: Mapping[date, float]  # spent on answers on each of these days
    months: Mapping[str, Tally]  # the answers of their months, written as 2026-11
    held: Mapping[str, int]  # items by how long they hold: "under 1 d", "1 to 7 d", …
    forecast: tuple[tuple[date, int], ...]
    own_parameters: bool
    meaning: tuple[str, ...] = ()
    """Sentences that say what the figures mean for the learner today."""

    @property
    def begun(self) -> int:
        """Items that were asked at least once."""
        return self.items - self.by_phase.get(Phase.NEW, 0)


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
        seconds = Estimator(connection, lessons=False).pace.a_card
        coming = forecast(connection, profile, moment)
    streak, _ = look_back(days, today, scheduling.share)
    ratings = {rating: sum(getattr(day, rating.name.lower()) for day in days) for rating in Rating}
    month = Tally.of(_last(days, today, RETENTION_DAYS))
    year = [*_last(days, today, HISTORY_DAYS)][::-1]
    figures = Statistics(
        items=items.items,
        by_phase={Phase(phase): number for phase, number in items.by_phase.items()},
        suspended=items.suspended,
        leeches=items.leeches,
        concepts=concepts,
        concepts_begun=begun,
        reviews=sum(ratings.values()),
        ratings={rating: number for rating, number in ratings.items() if number},
        retention=month.share,
        retention_of=month.asked,
        seconds=round(Tally.of(days).seconds, 3),
        seconds_a_card=seconds,
        streak=streak,
        by_day={day.day: day.reviews for day in year if day.reviews},
        minutes={day.day: day.seconds / 60 for day in year},
        months=_months(year),
        held=_held(items.by_stability),
        forecast=coming,
        own_parameters=scheduling.parameters != Scheduler().settings.parameters,
    )
    return figures._replace(meaning=summary_sentences(figures, scheduling.desired_retention))


def _last(days: Iterable[DayTotal], today: date, number: int) -> Iterable[DayTotal]:
    """Return those of the last so many learner days; the latest come first."""
    return takewhile(lambda each: each.day > today - timedelta(days=number), days)


def _months(days: Iterable[DayTotal]) -> dict[str, Tally]:
    """Return the answers of each month that has some that measure retention; days are in order."""
    months = groupby(days, lambda each: f"{each.day:%Y-%m}")
    tallies = {month: Tally.of(own) for month, own in months}
    return {month: each for month, each in tallies.items() if each.asked}


def _held(classes: Mapping[int, int]) -> dict[str, int]:
    """Name the classes of HELD_BOUNDS that items' stabilities, in days, fall into."""
    between = [f"{low} to {high} d" for low, high in pairwise(HELD_BOUNDS)]
    labels = [f"under {HELD_BOUNDS[0]} d", *between, f"over {HELD_BOUNDS[-1]} d"]
    return {label: classes.get(place, 0) for place, label in enumerate(labels)}


def summary_sentences(statistics: Statistics, desired: float) -> tuple[str, ...]:
    """Return a sentence each about recall, the coming days, what is held, and leeches if any.

    `desired` is the desired retention. Nothing is said of a log without reviews.
    """
    if not statistics.reviews:
        return ()
    held, left = statistics.by_phase.get(Phase.REVIEW, 0), statistics.items - statistics.begun
    begun = f"{held:,} of {count(statistics.items, 'item')} are in review"
    begun += f"; {left:,} are still new." if left else ", and none is new."
    sentences = [_recalled(statistics, desired), _coming(statistics), begun]
    if statistics.leeches:
        leeches = count(statistics.leeches, "card is a leech", "cards are leeches")
        sentences.append(f"{leeches}: reword or suspend cards that you keep forgetting.")
    return tuple(sentences)


def _recalled(statistics: Statistics, desired: float) -> str:
    share = statistics.retention
    if share is None or statistics.retention_of < _FEWEST:
        return "Too few answers in 30 days to measure recall: keep reviewing due items."
    told = f"You recall {share:.0%} and aim at {desired:.0%}"
    chance = 2 * (desired * (1 - desired) / statistics.retention_of) ** 0.5
    if abs(share - desired) <= chance:
        return f"{told}: within chance, so change nothing."
    if share < desired:
        return f"{told}: take fewer new cards for a few days, or run `studyattn stats --fit`."
    return f"{told}: `studyattn stats --fit` may save reviews."


def _coming(statistics: Statistics) -> str:
    if not any(number for _, number in statistics.forecast):
        return "Nothing is due in the coming days: there is room for new cards."
    day, most = max(statistics.forecast, key=lambda each: each[1])
    due = f"{most:,} due, about {most * statistics.seconds_a_card / 60:.0f} min."
    if day == statistics.forecast[0][0]:
        return f"Today is the busiest of seven days, with {due}"
    return f"The busiest coming day is {day:%A}, with {due}"


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
