"""The learner day over daylight saving, flights and the 04:00 rollover."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.memory import day_start, elapsed_days, learner_day

OFFSETS = st.integers(-12 * 60, 14 * 60)
INSTANTS = st.datetimes(
    datetime(1990, 1, 1),  # noqa: DTZ001 - hypothesis takes bounds without a zone
    datetime(2090, 1, 1),  # noqa: DTZ001 - the same
    timezones=st.just(UTC),
)


def on_clock(zone: str, *clock: int) -> tuple[datetime, int]:
    """An instant named by a wall clock, and that clock's offset then."""
    local = datetime(*clock, tzinfo=ZoneInfo(zone))  # type: ignore[arg-type, misc] # year to minute
    offset = local.utcoffset()
    assert offset is not None
    return local.astimezone(UTC), int(offset.total_seconds()) // 60


@pytest.mark.parametrize(
    ("clock", "day"),
    [
        ((2026, 11, 21, 3, 59), date(2026, 11, 20)),
        ((2026, 11, 21, 4, 0), date(2026, 11, 21)),
        ((2026, 11, 21, 23, 59), date(2026, 11, 21)),
        ((2026, 11, 22, 0, 30), date(2026, 11, 21)),
    ],
)
def test_the_day_turns_at_four(clock: tuple[int, ...], day: date) -> None:
    assert learner_day(*on_clock("Europe/Berlin", *clock)) == day


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
def test_an_evening_learner_has_one_day_per_evening_across_clock_changes(zone: str) -> None:
    evenings = [date(2026, 1, 1) + timedelta(days=number) for number in range(365)]
    days = [
        learner_day(*on_clock(zone, evening.year, evening.month, evening.day, 22, 30))
        for evening in evenings
    ]
    assert [elapsed_days(a, b) for a, b in pairwise(days)] == [1] * 364


def test_the_hour_that_daylight_saving_repeats_belongs_to_the_evening_before() -> None:
    # Berlin, 25 October 2026: 02:30 happens twice, at +120 and at +60.
    for utc_hour, offset in ((0, 120), (1, 60)):
        at = datetime(2026, 10, 25, utc_hour, 30, tzinfo=UTC)
        assert learner_day(at, offset) == date(2026, 10, 24)


def test_a_flight_west_over_the_date_line_never_counts_days_backwards() -> None:
    auckland = learner_day(*on_clock("Pacific/Auckland", 2026, 7, 2, 9, 0))
    honolulu = learner_day(*on_clock("Pacific/Honolulu", 2026, 7, 1, 20, 0))  # nine hours later
    assert honolulu < auckland
    assert elapsed_days(auckland, honolulu) == 0


def test_a_flight_east_over_the_date_line_skips_a_calendar_day() -> None:
    honolulu = learner_day(*on_clock("Pacific/Honolulu", 2026, 7, 1, 9, 0))
    auckland = learner_day(*on_clock("Pacific/Auckland", 2026, 7, 3, 9, 0))
    assert elapsed_days(honolulu, auckland) == 2


@given(INSTANTS, OFFSETS, st.integers(0, 23))
def test_an_instant_lies_within_its_learner_day(at: datetime, offset: int, rollover: int) -> None:
    day = learner_day(at, offset, rollover)
    begins = day_start(day, offset, rollover)
    assert begins <= at < begins + timedelta(days=1)
    assert learner_day(begins, offset, rollover) == day
    assert learner_day(begins - timedelta(microseconds=1), offset, rollover) < day


@given(INSTANTS, st.integers(-12 * 60, 14 * 60))
def test_the_zone_in_which_an_instant_is_written_does_not_matter(at: datetime, offset: int) -> None:
    assert learner_day(at.astimezone(ZoneInfo("Asia/Kathmandu")), offset) == learner_day(at, offset)


def test_a_naive_instant_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        learner_day(datetime(2026, 1, 1, 12), 0)  # noqa: DTZ001 - what must be refused
