"""Today at a glance, for the app's first screen: what is due, what comes, what was learnt.

The numbers (`numbers`) are there first, and are read without SQLAlchemy; concepts follow.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from studyattn.memory import day_start
from studyattn.store.queries.days import DayTotal, day_totals
from studyattn.store.queries.queue import (
    count_due_before,
    count_new,
    due_counts,
    next_due_after,
    planned_dues_of_waiting,
)
from studyattn.store.readable import Readable
from studyattn.store.vocabulary import DRILL, KNOWN_UNKNOWN
from studyattn.study.clock import Moment
from studyattn.study.review.pace import SECONDS
from studyattn.study.review.queue import read_day
from studyattn.study.settings import Interleaving

if TYPE_CHECKING:
    from studyattn.store.queries.concept_changes import KnownSince
    from studyattn.study.concepts.board import ConceptLine
    from studyattn.study.profile import Profile, ReadOnlyProfile
    from studyattn.study.review.views import Suggestion

_SHOWN = 5  # concepts in a list
_FORECAST = 7
_SPARK = 14


@dataclass(frozen=True, slots=True)
class Today:
    """One learner day at a glance. Counts follow the limits and the sibling rule."""

    day: date
    cards_now: int  # learning and review cards that are due
    drills_now: int
    new: int
    new_concepts: tuple[str, ...]  # titles of the concepts of the new cards
    later: int
    next_due: datetime | None  # the first of `later`, or of the days to come when nothing is due
    minutes: int  # estimate for all that is asked now
    put_off: int  # new cards that wait because today's minutes are full
    answered: int  # reviews taken today
    streak: int  # learner days in a row with a review, today included once there is one
    forecast: tuple[tuple[date, int], ...]  # the next seven learner days, today first
    spark: tuple[int, ...]  # reviews of the last fourteen learner days, today last
    never_asked: int  # items; none at a first start without a pack
    drills_aside: int = 0  # due ones that the learner keeps out of the session
    order: Interleaving = Interleaving.LAST  # where drills stand in the session
    known_unknown: tuple[ConceptLine, ...] = ()
    recently_known: tuple[KnownSince, ...] = ()
    suggestion: Suggestion | None = None

    @property
    def now(self) -> int:
        """Everything that a session would ask now."""
        return self.cards_now + self.drills_now + self.new


def today(profile: Profile) -> Today:
    """Return the present learner day."""
    # Late: they load SQLAlchemy, which the numbers do without.
    from studyattn.store.queries.concept_changes import recently_known
    from studyattn.study.concepts.board import first_concepts
    from studyattn.study.concepts.suggestions import suggestions

    known = numbers(profile)
    with profile.database.read() as connection:
        recently = tuple(recently_known(connection, _SHOWN))
    proposed = suggestions(profile, most=1)
    return replace(
        known,
        known_unknown=tuple(first_concepts(profile, KNOWN_UNKNOWN, _SHOWN)),
        recently_known=recently,
        suggestion=proposed[0] if proposed else None,
    )


def numbers(profile: ReadOnlyProfile) -> Today:
    """Return the numbers of the present learner day, without concepts."""
    moment = profile.moment()
    day = profile.day_of(moment)
    order = profile.settings.interleave
    queue = read_day(profile, moment)
    new = [
        item
        for item in queue.items
        if item.due is None and item.kind != DRILL and not item.brought_back
    ]
    drills = [item for item in queue.items if item.kind == DRILL]
    drills_aside = 0
    if order is Interleaving.CARDS_ONLY:
        with_drills = read_day(profile, moment, interleaving=Interleaving.LAST)
        drills_aside = sum(item.kind == DRILL for item in with_drills.items)
    with profile.read() as connection:
        streak, counts = look_back(day_totals(connection, SECONDS), day)
        next_due = queue.later[0][0] if queue.later else next_due_after(connection, moment.at)
        return Today(
            day=day,
            cards_now=len(queue.items) - len(new) - len(drills),
            drills_now=len(drills),
            new=len(new),
            new_concepts=tuple(dict.fromkeys(item.concept_title for item in new)),
            later=len(queue.later),
            next_due=next_due,
            minutes=-(-round(queue.seconds) // 60),
            put_off=queue.put_off,
            answered=counts[day],
            streak=streak,
            forecast=forecast(connection, profile, moment),
            spark=tuple(counts[day - timedelta(days=ago)] for ago in reversed(range(_SPARK))),
            never_asked=count_new(connection),
            drills_aside=drills_aside,
            order=order,
        )


def look_back(totals: Iterable[DayTotal], day: date) -> tuple[int, Counter[date]]:
    """Return the days in a row with a review until `day`, and the reviews of the last days.

    `totals` are those of the log, the latest first, and are read no further than that. A day that
    has no review yet does not end the row.
    """
    counts: Counter[date] = Counter()
    first = day - timedelta(days=_SPARK - 1)
    streak, following = 0, day + timedelta(days=1)
    for each in totals:
        if each.day > day or not each.reviews:
            continue
        unbroken = following - each.day <= timedelta(days=1 if streak else 2)
        if unbroken:
            streak, following = streak + 1, each.day
        elif each.day < first:
            break
        if each.day >= first:
            counts[each.day] = each.reviews
    return streak, counts


def due_on(profile: Profile, day: date) -> int:
    """Count the items due by the end of a learner day or back for a mistake; none that are new."""
    moment = profile.moment()
    rollover = profile.settings.scheduling.rollover_hour
    end = day_start(day + timedelta(days=1), moment.utc_offset, rollover)
    with profile.database.read() as connection:
        early = _before_their_time(connection, moment.at)
        back = sum(planned is None or planned >= end for planned in early)
        return count_due_before(connection, end) + back


def _before_their_time(connection: Readable, now: datetime) -> list[datetime | None]:
    """Return when the cards that are back would be due by memory, if later; None for new ones."""
    return [due for due in planned_dues_of_waiting(connection) if due is None or due > now]


def forecast(
    connection: Readable, profile: ReadOnlyProfile, moment: Moment
) -> tuple[tuple[date, int], ...]:
    """Count the items that come due on each of the next learner days.

    What is overdue counts today, and so does a card that a mistake has brought back before its day.
    """
    rollover = profile.settings.scheduling.rollover_hour
    first = profile.day_of(moment)
    days = [first + timedelta(days=ahead) for ahead in range(_FORECAST)]
    ends = [day_start(day + timedelta(days=1), moment.utc_offset, rollover) for day in days]
    counts = [0] * _FORECAST
    for each in due_counts(connection, ends[-1]):
        counts[bisect_right(ends, each.due)] += each.items
    for planned in _before_their_time(connection, moment.at):
        counts[0] += 1
        if planned is not None and planned < ends[-1]:
            counts[bisect_right(ends, planned)] -= 1
    return tuple(zip(days, counts, strict=True))
