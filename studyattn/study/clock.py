"""The learner's time: an instant, and how far their clock is from UTC.

Nothing else in the program asks the machine for the time, so a test or `--at` can stand anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple, Protocol

from studyattn.errors import InputError


class Clock(Protocol):
    """A source of instants and of the learner's offset at them."""

    def now(self) -> datetime:
        """The present instant, aware, in UTC."""

    def utc_offset(self, at: datetime) -> int:
        """Minutes east of UTC that the learner's own clock shows at `at`."""


class SystemClock:
    """The machine's clock and time zone."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def utc_offset(self, at: datetime) -> int:
        offset = at.astimezone().utcoffset() or timedelta(0)
        return round(offset.total_seconds() / 60)


@dataclass(slots=True)
class FixedClock:
    """A clock that does not move until it is set; the learner's offset never changes."""

    at: datetime
    offset: int = 0  # minutes east of UTC

    def now(self) -> datetime:
        return self.at.astimezone(UTC)

    def utc_offset(self, at: datetime) -> int:  # noqa: ARG002 - the protocol's argument
        return self.offset

    def advance(self, by: timedelta) -> None:
        """Move forward by `by`."""
        self.at += by


class Moment(NamedTuple):
    """An instant and the learner's offset at it: what a review records of time."""

    at: datetime  # aware, UTC
    utc_offset: int  # minutes east of UTC


def moment(clock: Clock, at: datetime | None = None) -> Moment:
    """`at`, or now, with the offset that the learner's clock shows then."""
    at = clock.now() if at is None else at.astimezone(UTC)
    return Moment(at, clock.utc_offset(at))


def parse_moment(text: str, clock: Clock) -> Moment:
    """An ISO 8601 time as a moment; without an offset it is a time on the learner's own clock.

    Raises InputError when `text` is no such time.
    """
    try:
        given = datetime.fromisoformat(text.strip())
    except ValueError:
        given = None
    if given is None:
        raise InputError(
            f"{text!r} is not a time", advice="Write it like 2026-11-21T18:30:00+01:00."
        )
    try:
        return _moment_of(given, clock)
    except (OverflowError, OSError, ValueError):
        raise InputError(
            f"{text!r} is outside the calendar", advice="Use a year from 1970 to 9000."
        ) from None


def _moment_of(given: datetime, clock: Clock) -> Moment:
    if given.tzinfo is not None:
        offset = given.utcoffset() or timedelta(0)
        return _in_calendar(given.astimezone(UTC), round(offset.total_seconds() / 60))
    # The offset depends on the instant and the instant on the offset: the second look settles it
    # everywhere but inside the hour that a change of clocks skips or repeats.
    at = given.replace(tzinfo=UTC)
    for _ in range(2):
        offset_minutes = clock.utc_offset(at)
        at = given.replace(tzinfo=timezone(timedelta(minutes=offset_minutes))).astimezone(UTC)
    return _in_calendar(at, clock.utc_offset(at))


def _in_calendar(at: datetime, utc_offset: int) -> Moment:
    if not 1970 <= at.year <= 9000:
        raise OverflowError
    return Moment(at, utc_offset)
