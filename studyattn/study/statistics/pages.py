"""The pages of statistics: which figures each has, and what is read of the home for them.

Figures are pure functions of rows, in the module of their subject. Here the rows are read, for the
days and items that are chosen. Kept totals and rows of items suffice for all items; of a part of
them the log is read, or that of the other part if it is smaller. The calibration reads the log of
the items, of so many that it is there at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Final

from studyattn.errors import InputError, NotFoundError
from studyattn.memory import Rating, Scheduler
from studyattn.memory.calibration import calibration_bins
from studyattn.memory.fit import Fit, figures
from studyattn.memory.forecasting import Outcomes, outcomes_of
from studyattn.memory.settings import DEFAULT_PARAMETERS
from studyattn.packs.card_kinds import KINDS
from studyattn.store.log_values import stored_day, stored_instant
from studyattn.store.queries.answers import rated_rows
from studyattn.store.queries.chosen import Chosen
from studyattn.store.queries.concepts import all_concepts, find_concept
from studyattn.store.queries.days import day_totals
from studyattn.store.queries.drill_log import drill_events
from studyattn.store.queries.items import has_item
from studyattn.store.queries.items_now import concept_titles, items_added, items_now, tags_of_items
from studyattn.store.queries.kept_answers import By, first_not_kept
from studyattn.store.queries.sources import all_sources
from studyattn.study.notes.sources import find_source
from studyattn.study.profile import Profile
from studyattn.study.records import log_of, starts_of
from studyattn.study.review.pace import SECONDS, seconds_a_card
from studyattn.study.statistics import (
    activity,
    calibration,
    concepts,
    drills,
    load,
    memory_now,
    one_card,
    retention,
)
from studyattn.study.statistics.answer_groups import AnswerGroup, answers_by, keep, uses_kept
from studyattn.study.statistics.memory_now import Present
from studyattn.text.figure import Figure, Shape

RANGES: Final = ("30d", "90d", "year", "all")
"""The spans of days that are offered; any number of days is understood."""

KINDS_CHOSEN: Final = ("card", "drill", *KINDS)
"""Kinds of items that figures can be restricted to."""

_YEAR = 365
_RATED = 100  # answers from which the learner's own shares of ratings are used


Part = Callable[[Profile, Chosen], tuple[Figure, ...]]


@dataclass(frozen=True, slots=True)
class Page:
    """Some figures of one subject.

    Attributes:
        about: a few words on what it shows.
        parts: what computes its figures, in order; the first are there soon.
        reads_log: True if the log of all items is read for it.
    """

    name: str
    title: str
    about: str
    parts: tuple[Part, ...]
    reads_log: bool = False

    def figures(self, profile: Profile, chosen: Chosen) -> tuple[Figure, ...]:
        """Return all figures of the chosen days and items."""
        return tuple(figure for part in self.parts for figure in part(profile, chosen))


def first_day(span: str, today: date) -> date | None:
    """Return the first day of a span that ends today: `30d`, `year`; None for `all`.

    Raises InputError for another text.
    """
    if span == "all":
        return None
    number = str(_YEAR) if span == "year" else span.removesuffix("d")
    if not (number.isdecimal() and number.isascii() and 1 <= len(number) <= 5 and int(number)):
        advice = "Write a number of days, such as 30d, or year, or all."
        raise InputError(f"{span!r} is not a date range", advice=advice)
    return today - timedelta(days=min(int(number), today.toordinal() - 1) - 1)


def choose(
    profile: Profile,
    span: str = "all",
    *,
    concept: str | None = None,
    source: str | None = None,
    tag: str | None = None,
    kind: str | None = None,
) -> Chosen:
    """Return what is chosen by names: a source by its title or guid.

    Raises NotFoundError for a concept, source or kind that there is not, InputError for a span.
    """
    first = first_day(span, profile.today())
    if kind is not None and kind not in KINDS_CHOSEN:
        advice = f"There are: {', '.join(KINDS_CHOSEN)}."
        raise NotFoundError(f"there is no kind of item {kind!r}", advice=advice)
    with profile.database.read() as connection:
        if concept is not None:
            find_concept(connection, concept)
        if source is not None:
            source = find_source(connection, source).guid
    return Chosen(first, concept, source, tag, kind)


def filters(profile: Profile) -> dict[str, str]:
    """Return what figures can be restricted to: names by `kind:…`, `tag:…` and so on."""
    with profile.database.read() as connection:
        named = {f"kind:{kind}": f"Kind: {kind}" for kind in KINDS_CHOSEN}
        named |= {f"tag:{tag}": f"Tag: {tag}" for tag in tags_of_items(connection)}
        named |= {f"source:{e.guid}": f"Source: {e.title}" for e in all_sources(connection)}
        named |= {f"concept:{e.slug}": f"Concept: {e.title}" for e in all_concepts(connection)}
    return named


def page_named(name: str) -> Page:
    """Return the page of this name. Raises NotFoundError for an unknown one."""
    for page in PAGES:
        if page.name == name:
            return page
    names = ", ".join(page.name for page in PAGES)
    raise NotFoundError(f"there is no page {name!r}", advice=f"There are: {names}.")


def present_of(profile: Profile) -> Present:
    """Return the present moment of a profile."""
    moment, scheduling = profile.moment(), profile.settings.scheduling
    return Present(moment.at, moment.utc_offset, scheduling.rollover_hour, scheduling.parameters)


def card_figures(profile: Profile, guid: str) -> tuple[Figure, ...]:
    """Return the figures of one item. Raises NotFoundError where there is none."""
    present = present_of(profile)
    with profile.database.read() as connection:
        if not has_item(connection, guid):
            raise NotFoundError(f"there is no card or drill {guid!r}")
        log, start = log_of(connection, guid), starts_of(connection, (guid,)).get(guid)
    past, state = one_card.past_reviews(guid, log, profile.scheduler, start)
    desired = profile.settings.scheduling.desired_retention
    return one_card.history(past), one_card.forgetting_curve(state, present, desired)


def fit_figures(fit: Fit) -> tuple[Figure, ...]:
    """Return the calibration before and after a fit, on reviews that it has not seen."""
    meaning = calibration.calibration_meaning(fit.judged_on, fit.defaults, fit.own, unseen=True)
    return (
        calibration.calibration_curve(fit.defaults_bins, fit.own_bins, meaning),
        *calibration.calibration_tables(fit.defaults_bins, fit.own_bins),
    )


def shared_figures(
    profile: Profile, concept: str | None = None, source: str | None = None
) -> tuple[Figure, ...]:
    """Return the figures of a page that others read: a year's, of all or of a part."""
    chosen = Chosen(first_day("year", profile.today()), concept, source)
    pages = (_activity, _retention, _memory, _concepts)
    return tuple(
        figure
        for page in pages
        for figure in page(profile, chosen)
        if figure.shape is not Shape.CALENDAR  # the page has one at its top
    )


def _activity(profile: Profile, chosen: Chosen) -> tuple[Figure, ...]:
    present = present_of(profile)
    with profile.database.read() as connection:
        if chosen.all_items:
            days = [
                activity.DayCount(each.day, each.reviews, each.seconds)
                for each in day_totals(connection, SECONDS)
                if chosen.first is None or each.day >= chosen.first
            ]
        else:
            (answers,) = answers_by(connection, chosen, SECONDS, (By.DAY,))
            days = activity.day_counts(answers)
        came = [
            each
            for each in items_added(connection, chosen)
            if chosen.first is None or present.day_of(each.at) >= chosen.first
        ]
    first, today = chosen.first, present.today
    return (
        activity.reviews_a_day(days, first, today),
        activity.minutes_a_day(days, first, today),
        activity.calendar(days, first, today),
        activity.added(came, first, present),
    )


def _answers_by(profile: Profile, chosen: Chosen, *ways: By) -> list[list[AnswerGroup]]:
    """Return the chosen answers counted each way; those of all items are kept for the next time."""
    with profile.database.read() as connection:
        keeps = uses_kept(connection, chosen) and profile.database.hindrance is None
        first = first_not_kept(connection) if keeps else None
    if first is not None and first < stored_day(profile.today()):
        with profile.database.write() as connection:
            keep(connection, SECONDS)
    with profile.database.read() as connection:
        return answers_by(connection, chosen, SECONDS, ways)


def _answers(profile: Profile, chosen: Chosen) -> tuple[Figure, ...]:
    by_day, by_hour, by_kind = _answers_by(profile, chosen, By.DAY, By.HOUR, By.KIND)
    return (
        activity.answers_by_age(by_day),
        activity.hours(by_hour),
        activity.answers_by_kind(by_kind),
    )


def _retention(profile: Profile, chosen: Chosen) -> tuple[Figure, ...]:
    (groups,) = _answers_by(profile, chosen, By.DAY)
    desired = profile.settings.scheduling.desired_retention
    return (
        retention.true_retention(groups, desired),
        retention.retention_by_week(groups, desired),
        retention.retention_by_month(groups, desired),
    )


def _calibration(profile: Profile, chosen: Chosen) -> tuple[Figure, ...]:
    outcomes, share = _chosen_outcomes(profile, chosen)
    recalled, bins = outcomes.recalled, outcomes.bins
    if not recalled:
        meaning = "No forecasts to judge yet: review items from an earlier day first."
        return (calibration.calibration_curve(calibration_bins((), ()), None, meaning),)
    before = outcomes.forecasts(DEFAULT_PARAMETERS)
    defaults, before_bins = figures(before, recalled, bins), calibration_bins(before, recalled)
    own = own_bins = None
    parameters = profile.settings.scheduling.parameters
    if parameters != Scheduler().settings.parameters:
        after = outcomes.forecasts(parameters)
        own, own_bins = figures(after, recalled, bins), calibration_bins(after, recalled)
    meaning = calibration.calibration_meaning(len(recalled), defaults, own, share=share)
    return (
        calibration.calibration_curve(before_bins, own_bins, meaning),
        *calibration.calibration_tables(before_bins, own_bins),
    )


_JUDGED: Final = 60_000
"""Reviews that are read to judge forecasts, about: a share of them is known to 0.2 percent."""


def _chosen_outcomes(profile: Profile, chosen: Chosen) -> tuple[Outcomes, int]:
    """Return what came of the chosen reviews, and of one item in how many they are."""
    with profile.database.read() as connection:
        read = rated_rows(connection, chosen, _JUDGED)
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
    first = None if chosen.first is None else stored_day(chosen.first)
    return outcomes_of(reviews, first), read.share


_NEVER: Final = datetime.max.replace(tzinfo=UTC)  # begins what was learned before its log began


def _due_next(profile: Profile, chosen: Chosen) -> tuple[Figure, ...]:
    with profile.database.read() as connection:
        items = [each for each in items_now(connection, chosen) if not each.suspended]
    return (memory_now.future_due(items, present_of(profile)),)


def _load_ahead(profile: Profile, chosen: Chosen) -> tuple[Figure, ...]:
    present, settings = present_of(profile), profile.settings
    scheduling = settings.scheduling
    with profile.database.read() as connection:
        items = [each for each in items_now(connection, chosen) if not each.suspended]
        seconds = seconds_a_card(connection)
        year = present.today - timedelta(days=_YEAR)
        totals = [each for each in day_totals(connection, SECONDS) if each.day >= year]
    reviews = sum(each.reviews for each in totals)
    if reviews >= _RATED:
        seconds = max(1.0, sum(each.seconds for each in totals) / reviews)
    shares = tuple(float(sum(getattr(each, name) for each in totals)) for name in _RECALLED)
    habits = load.Habits(seconds=seconds)
    if sum(shares) >= _RATED:
        habits = replace(habits, recalled=shares)
    begun = load.begun_items(items, present)
    new = len(items) - len(begun)
    desired = scheduling.desired_retention
    loads = {
        aim: load.simulate_load(
            begun,
            new=new,
            new_a_day=settings.new_per_day,
            habits=habits,
            settings=scheduling,
            retention=aim,
            today=present.today,
        )
        for aim in sorted({*load.WHAT_IF, desired})
    }
    return (
        load.load_figure(loads[desired], present.today, min(new, settings.new_per_day)),
        load.what_if(list(loads.values()), desired),
    )


_RECALLED = tuple(rating.name.lower() for rating in Rating if rating is not Rating.AGAIN)


def _memory(profile: Profile, chosen: Chosen) -> tuple[Figure, ...]:
    present = present_of(profile)
    with profile.database.read() as connection:
        items = list(items_now(connection, chosen))
    return (
        memory_now.phases(items, present),
        memory_now.recall(items, present),
        memory_now.intervals(items, present),
        memory_now.stability(items),
        memory_now.difficulty(items),
    )


def _drills(profile: Profile, chosen: Chosen) -> tuple[Figure, ...]:
    with profile.database.read() as connection:
        events = list(drill_events(connection, chosen))
    first = chosen.first
    stories = [each for each in drills.drill_stories(events) if first is None or each.last >= first]
    mistakes = drills.mistake_stories(events, first)
    return (
        drills.drills_figure(stories),
        drills.mistakes_figure(mistakes, profile.today()),
        drills.mistakes_over_time(events, first),
        drills.mistakes_by_month(events, first),
    )


def _concepts(profile: Profile, chosen: Chosen) -> tuple[Figure, ...]:
    with profile.database.read() as connection:
        items = [each for each in items_now(connection, chosen) if not each.suspended]
        titles = concept_titles(connection)
    desired = profile.settings.scheduling.desired_retention
    found = concepts.concept_memories(items, titles, present_of(profile), desired)
    return concepts.holding(found), concepts.knowledge(found, len(items))


PAGES: Final = (
    Page(
        "activity", "Activity", "Reviews and minutes per day, calendar, items added", (_activity,)
    ),
    Page(
        "answers",
        "Answers",
        "Answers by rating and age, by hour of the day, by kind of card",
        (_answers,),
    ),
    Page(
        "retention",
        "Retention",
        "How much you recall, compared with the desired retention, by month",
        (_retention,),
    ),
    Page(
        "calibration",
        "Calibration",
        "How far forecasts of recall are from actual recall",
        (_calibration,),
        reads_log=True,
    ),
    Page(
        "forecast",
        "Forecast",
        "What comes due, minutes per day for a year, the cost of a different retention",
        (_due_next, _load_ahead),
    ),
    Page(
        "memory", "Memory", "Items by phase, recall, interval, stability and difficulty", (_memory,)
    ),
    Page("drills", "Drills", "Attempts, time, hints and mistakes by name", (_drills,)),
    Page("concepts", "Concepts", "What is held, what is fading, estimated knowledge", (_concepts,)),
)
