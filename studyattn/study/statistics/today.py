"""Today at a glance, for the app's first screen: what is due, what comes, what was learnt.

The numbers (`numbers`) are there first, and are read without SQLAlchemy; concepts follow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from studyattn.memory.order import Interleaving
from studyattn.store.queries.days import DayTotal, day_totals, growth
from studyattn.store.queries.queue import (
    count_cards_due_before,
    count_new,
    due_counts,
    next_due_after,
    planned_dues_of_waiting,
)
from studyattn.store.sql import Connection as Readable
from studyattn.store.vocabulary import DRILL, KNOWN_UNKNOWN
from studyattn.study.clock import Moment
from studyattn.study.review.backlog import read_backlog
from studyattn.study.review.pace import SECONDS
from studyattn.study.review.queue import read_day
from studyattn.study.rules.days_ahead import (
    after_vacation,
    continues_row,
    suggested_days,
    with_backlog,
)
from studyattn.study.statistics.day import DayAhead, DayDone, Today, WaitingConcept

if TYPE_CHECKING:
    from studyattn.study.profile import Profile, ReadOnlyProfile
    from studyattn.study.review.queue import DayQueue, DueItem
    from studyattn.study.settings import Settings

_SHOWN = 10  # concepts in a list
_FORECAST = 7
_SPARK = 14


def today(profile: Profile) -> Today:
    """Return the present learner day."""
    # Late: the numbers, which are shown first, do without them.
    from studyattn.store.queries.concept_changes import recently_known
    from studyattn.study.concepts.board import first_concepts
    from studyattn.study.concepts.path import read_path, to_run
    from studyattn.study.concepts.suggestions import suggestions

    known = numbers(profile)
    with profile.database.read() as connection:
        recently = tuple(recently_known(connection, _SHOWN))
        last = next((each.day for each in day_totals(connection, SECONDS) if each.reviews), None)
    proposed = suggestions(profile, most=1)
    ahead, reached = read_path(profile).nearest()
    return known._replace(
        known_unknown=tuple(first_concepts(profile, KNOWN_UNKNOWN, _SHOWN)),
        recently_known=recently,
        suggestion=proposed[0] if proposed else None,
        done=None if last is None else done_on(profile, last),
        tomorrow=plan_of(profile, known.day + timedelta(days=1)),
        capstone=ahead,
        reached=reached,
        runs=to_run(ahead, reached),
    )


def done_on(profile: Profile, day: date) -> DayDone | None:
    """Return what a day of study brought; None where nothing was answered."""
    with profile.database.read() as connection:
        totals = day_totals(connection, SECONDS, day)
        answers = next((each.reviews for each in totals if each.day == day), 0)
        return DayDone(day, answers, *growth(connection, day)) if answers else None


def plan_of(profile: ReadOnlyProfile, day: date) -> DayAhead:
    """Return what a day to come asks, as it looks now."""
    night = profile.day_start(day + timedelta(days=1), profile.moment()) - timedelta(seconds=1)
    return _work_of(read_day(profile, night))


def _work_of(queue: DayQueue) -> DayAhead:
    """Return the work of a day, by its queue."""
    new = [
        item
        for item in queue.items
        if item.due is None and item.kind != DRILL and not item.brought_back
    ]
    drills = sum(item.kind == DRILL for item in queue.items)
    return DayAhead(
        minutes=-(-round(queue.seconds) // 60),
        cards=len(queue.items) - len(new) - drills,
        drills=drills,
        new=len(new),
        concepts=tuple(dict.fromkeys(item.concept_title for item in new)),
    )


def numbers(profile: ReadOnlyProfile) -> Today:
    """Return the numbers of the present learner day, without concepts."""
    moment = profile.moment()
    day = profile.day_of(moment)
    order = profile.settings.interleave
    queue = read_day(profile, moment)
    work, drills_aside = _work_of(queue), 0
    if order is Interleaving.CARDS_ONLY:
        drills_aside = _work_of(read_day(profile, moment, interleaving=Interleaving.LAST)).drills
    with profile.read() as connection:
        share = profile.settings.scheduling.share
        streak, counts = look_back(day_totals(connection, SECONDS), day, share)
        behind, behind_days = _behind(connection, profile, moment, queue)
        next_due = queue.later[0][0] if queue.later else next_due_after(connection, moment.at)
        return Today(
            day=day,
            cards_now=work.cards,
            drills_now=work.drills,
            new=work.new,
            new_concepts=work.concepts,
            later=len(queue.later),
            next_due=next_due,
            minutes=work.minutes,
            put_off=queue.put_off,
            long_drill=queue.long_drill,
            answered=counts[day],
            streak=streak,
            forecast=forecast(connection, profile, moment),
            spark=tuple(counts[day - timedelta(days=ago)] for ago in reversed(range(_SPARK))),
            never_asked=count_new(connection),
            backlog=read_backlog(connection, profile.settings, day),
            behind=behind,
            behind_days=behind_days,
            back=_back(profile.settings, day),
            begun=len(queue.done.steps),
            drills_aside=drills_aside,
            order=order,
            goal=profile.settings.goal,
            waiting=_waiting(queue.items),
        )


def _behind(
    connection: Readable, profile: ReadOnlyProfile, moment: Moment, queue: DayQueue
) -> tuple[int, int]:
    """Return the overdue cards and the days to spread them over; 0 if they fit into a day."""
    settings = profile.settings
    start = profile.day_start(profile.day_of(moment), moment)
    cards = count_cards_due_before(connection, start)
    seconds = cards * queue.seconds / max(1, len(queue.items))
    if cards <= settings.reviews_per_day and not 0 < settings.budget < seconds:
        return 0, 0
    return cards, suggested_days(seconds, settings.budget)


def _back(settings: Settings, day: date) -> date | None:
    """Return the first day after the vacation that it is on this day; None if it is none."""
    if not settings.scheduling.on_vacation(day):
        return None
    while settings.scheduling.on_vacation(day):
        day += timedelta(days=1)
    return day


def _waiting(items: Iterable[DueItem]) -> tuple[WaitingConcept, ...]:
    """Return what the items are about, the concepts with most of them first."""
    counted: dict[str, list[int]] = {}
    for item in items:
        counted.setdefault(item.concept_title, [0, 0])[item.due is None] += 1
    waiting = (WaitingConcept(title, due, new) for title, (due, new) in counted.items())
    return tuple(sorted(waiting, key=lambda each: -(each.due + each.new)))


def look_back(
    totals: Iterable[DayTotal], day: date, share: Callable[[date], float]
) -> tuple[int, Counter[date]]:
    """Return the days in a row with a review until `day`, and the reviews of the last days.

    `totals` are those of the log, the latest first, and are read no further than that. A day that
    has no review yet does not end the row, nor do days without a share of the work: those of a
    vacation, and easy days that are left free.
    """
    counts: Counter[date] = Counter()
    first = day - timedelta(days=_SPARK - 1)
    streak, following = 0, day  # so the row may end yesterday
    for each in totals:
        if each.day > day or not each.reviews:
            continue
        if continues_row(each.day, following, share):
            streak, following = streak + 1, each.day
        elif each.day < first:
            break
        if each.day >= first:
            counts[each.day] = each.reviews
    return streak, counts


def forecast(
    connection: Readable, profile: ReadOnlyProfile, moment: Moment
) -> tuple[tuple[date, int], ...]:
    """Count the items that come due on each of the next learner days.

    What is overdue counts today, and so does a card that a mistake has brought back before its day.
    """
    first = profile.day_of(moment)
    days = [first + timedelta(days=ahead) for ahead in range(_FORECAST)]
    dues: list[tuple[datetime, int]] = [
        *due_counts(connection, profile.day_start(first + timedelta(days=_FORECAST), moment))
    ]
    for planned in planned_dues_of_waiting(connection):
        if planned is None or planned > moment.at:  # by memory it is new, or due later
            dues += [(moment.at, 1), *([] if planned is None else [(planned, -1)])]
    counts = profile.count_by_day(dues, moment, _FORECAST)
    counts = after_vacation(counts, map(profile.settings.scheduling.on_vacation, days))
    if (backlog := read_backlog(connection, profile.settings, first)) is not None:
        counts = with_backlog(counts, first, backlog.waiting, backlog.spread)
    return tuple(zip(days, counts, strict=True))
