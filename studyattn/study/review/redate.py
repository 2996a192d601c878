"""Answers that are dated after the present: the clock was ahead when they were given.

Their cards come back by that wrong date, a year late if the clock was a year ahead. They are dated
anew as everything is corrected here, by rows of the log: each is withdrawn and written again, so
many days earlier, as it would have been with the right clock.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from studyattn.errors import InputError, StudyattnError
from studyattn.home import Home
from studyattn.memory import LoggedReview
from studyattn.memory.columns import review_from_columns
from studyattn.store import hindered
from studyattn.store.database import Connection
from studyattn.store.engine import opened
from studyattn.store.migrate import read_revision
from studyattn.store.queries import items
from studyattn.store.queries.review_log import rated_after
from studyattn.store.revisions import HEAD
from studyattn.study.profile import Profile
from studyattn.text.counting import count

_DAY = timedelta(days=1)
_TOLERANCE = timedelta(hours=1)  # two machines' clocks may differ a little without harm
_MILLISECONDS = 48  # the first bits of a UUID: when it was made
_REST = 80  # the bits after them


class Ahead(NamedTuple):
    """The ratings in effect that are dated after the present, at least one by more than an hour."""

    answers: int
    cards: int  # and drills
    first: datetime  # aware, UTC; as they are dated now
    last: datetime
    days: int  # the fewest whole days earlier at which none of them is after the present

    def error(self) -> StudyattnError:
        """Return what a learner is told, and what to do."""
        are = "answer is" if self.answers == 1 else "answers are"
        return StudyattnError(
            f"{self.answers:,} {are} dated in the future, up to {self.last:%Y-%m-%d}:"
            " the clock was ahead",
            advice="If the clock is right now, fix them with `studyattn db clock`.",
        )


def find_ahead(connection: Connection, now: datetime) -> Ahead | None:
    """Return the answers that are dated after `now`; None when there are none."""
    return _ahead([review_from_columns(row) for row in rated_after(connection, now)], now)


def told_ahead(profile: Profile) -> tuple[StudyattnError, ...]:
    """Return what to tell of answers that are dated after now: one error, or none."""
    with profile.database.read() as connection:
        ahead = find_ahead(connection, profile.clock.now())
    return () if ahead is None else (ahead.error(),)


def check_clock(home: Home, now: datetime) -> Ahead | None:
    """Look for such answers in a sound database of this program's schema, without opening it."""
    with hindered.readable(home) as place, opened(place) as connection:
        is_ours = read_revision(connection, place) == HEAD
        return find_ahead(connection, now) if is_ours else None


def redate(profile: Profile, days: int) -> Ahead | None:
    """Date the answers that are after the present `days` earlier; None when there are none.

    Items that were buried until a day after tomorrow are unburied. Raises InputError for so few
    days that some would still be dated after the present.
    """
    # Late: to look whether there are such answers does without.
    from studyattn.study.review.rebuild import refold
    from studyattn.study.review.recorder import append, new_review

    now, by = profile.clock.now(), timedelta(days=days)
    with profile.database.write() as connection:
        reviews = [review_from_columns(row) for row in rated_after(connection, now)]
        ahead = _ahead(reviews, now)
        if ahead is None:
            return None
        refuse_too_few(ahead, days)
        for review in reviews:
            withdrawal = new_review(
                profile, review.item_guid, profile.moment(), withdraws=review.uuid
            )
            append(connection, [withdrawal, _earlier(review, by)])
        for guid in items.buried_beyond(connection, profile.today() + _DAY):
            items.put_field(connection, guid, items.ItemField.BURIED, None, now)
        refold(connection)
    return ahead


def refuse_too_few(ahead: Ahead, days: int) -> None:
    """Raise InputError for so few days that some answers would still be after the present."""
    if days < ahead.days:
        raise InputError(
            f"{count(days, 'day')} earlier, some would still be dated in the future",
            advice=f"Give at least --days {ahead.days}.",
        )


def _ahead(reviews: list[LoggedReview], now: datetime) -> Ahead | None:
    if not reviews or reviews[-1].at <= now + _TOLERANCE:
        return None
    return Ahead(
        answers=len(reviews),
        cards=len({review.item_guid for review in reviews}),
        first=reviews[0].at,
        last=reviews[-1].at,
        days=-((now - reviews[-1].at) // _DAY),
    )


def _earlier(review: LoggedReview, by: timedelta) -> LoggedReview:
    """Return the row that a clock set back by whole days would have written.

    Its UUID follows from the old one, so that two machines that correct the same answer in the same
    way write the same row, and a merge finds one.
    """
    old = UUID(review.uuid).int
    made = ((old >> _REST) - by // timedelta(milliseconds=1)) % (1 << _MILLISECONDS)
    return review._replace(
        uuid=str(UUID(int=made << _REST | old & (1 << _REST) - 1)),
        at=review.at - by,
        learner_day=review.learner_day - by,
    )
