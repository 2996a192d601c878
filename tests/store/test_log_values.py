"""What the review log keeps of UUIDs, instants and days: nothing is lost, and order is kept."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.store import log_values as kept

INSTANTS = st.datetimes(timezones=st.just(UTC))
NAMES = st.one_of(st.uuids().map(str), st.text(max_size=40), st.just("A" * 36), st.just("-" * 36))


@given(st.lists(NAMES))
def test_every_name_comes_back_and_no_two_are_kept_alike(names: list[str]) -> None:
    stored = {name: kept.stored_uuid(name) for name in names}
    assert {name: kept.read_uuid(value) for name, value in stored.items()} == {n: n for n in names}
    assert len(set(stored.values())) == len(stored)


@given(st.lists(st.uuids(), min_size=2))
def test_uuids_take_16_bytes_and_sort_as_their_text_does(uuids: list[UUID]) -> None:
    names = sorted(map(str, uuids))
    assert all(len(kept.stored_uuid(name)) == 16 for name in names)
    assert sorted(names, key=kept.stored_uuid) == names


@pytest.mark.parametrize(
    "name",
    [
        "018F0000-0000-7000-8000-00000000000A",
        "018f0000-0000-7000-8000- 0000000000",
        "{018f000-0000-7000-8000-00000000000}",
        "018f0000000070008000000000000000",
        "sixteen-letters-",
    ],
)
def test_another_spelling_of_a_uuid_is_a_name_of_its_own(name: str) -> None:
    assert kept.read_uuid(kept.stored_uuid(name)) == name
    assert len(kept.stored_uuid(name)) > 16


@given(INSTANTS, INSTANTS, st.integers(-1439, 1439))
def test_instants_come_back_to_the_microsecond_and_in_order(
    one: datetime, other: datetime, minutes: int
) -> None:
    assert kept.read_stored_instant(kept.stored_instant(one)) == one
    assert (kept.stored_instant(one) < kept.stored_instant(other)) == (one < other)
    east = timezone(timedelta(minutes=minutes))
    noon = datetime(2026, 3, 2, 12, tzinfo=east)
    assert kept.read_stored_instant(kept.stored_instant(noon)) == noon


@given(st.dates())
def test_days_come_back(day: date) -> None:
    assert kept.read_stored_day(kept.stored_day(day)) == day


@given(st.uuids().map(str), INSTANTS)
def test_what_a_schema_before_kept_as_text_is_kept_alike_now(uuid: str, at: datetime) -> None:
    text = at.replace(tzinfo=None).isoformat(" ", "microseconds")
    for as_read in (str, str.encode):  # SQLite gives text, a page gives bytes
        assert kept.uuid_as_stored(as_read(uuid)) == kept.stored_uuid(uuid)
        assert kept.uuid_as_stored(as_read("recovered-123456")) == kept.stored_uuid(
            "recovered-123456"
        )
        assert kept.instant_as_stored(as_read(text)) == kept.stored_instant(at)
        assert kept.day_as_stored(as_read(text[:10])) == kept.stored_day(at.date())
    assert kept.uuid_as_stored(kept.stored_uuid("a name")) == kept.stored_uuid("a name")
    assert kept.instant_as_stored(kept.stored_instant(at)) == kept.stored_instant(at)


@pytest.mark.parametrize("value", [None, 3, b"\xff" * 15, b"\0" * 9 + b"\xff"])
def test_what_is_no_uuid_is_refused(value: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        kept.uuid_as_stored(value)


@pytest.mark.parametrize("value", [None, 1.5, "yesterday", b"\xff", 1 << 62, -(1 << 62)])
def test_what_is_no_time_is_refused(value: object) -> None:
    for read in (kept.instant_as_stored, kept.day_as_stored):
        with pytest.raises((ValueError, TypeError)):
            read(value)
