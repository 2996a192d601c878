"""The learner's calendar: which day it is on their own clock, and when that day begins.

A learner day turns at the rollover hour (04:00), so a review after midnight belongs to the evening
before. Offsets are arguments and are stored with each review: a later flight or clock change never
moves a review to another day.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

ROLLOVER_HOUR = 4


def learner_day(at: datetime, utc_offset: int, rollover_hour: int = ROLLOVER_HOUR) -> date:
    """Return the learner day of an aware instant, `utc_offset` minutes east of UTC."""
    if at.tzinfo is None:
        raise ValueError(f"{at!r} has no time zone: give a UTC offset")
    shift = timedelta(minutes=utc_offset, hours=-rollover_hour)
    return (at.astimezone(UTC) + shift).date()


def day_start(day: date, utc_offset: int, rollover_hour: int = ROLLOVER_HOUR) -> datetime:
    """Return the instant (UTC) at which a learner day begins, `utc_offset` minutes east of UTC."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return midnight + timedelta(minutes=60 * rollover_hour - utc_offset)


def elapsed_days(last: date, today: date) -> int:
    """Return the learner days between two reviews, 0 if a flight made the day earlier."""
    return max(0, (today - last).days)
