"""Answers under a clock that was ahead: told, dated anew, and merged without doubles."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from studyattn.errors import InputError
from studyattn.exchange.merge.merge_into import merge_database
from studyattn.home import Home
from studyattn.memory import Rating, effective_reviews
from studyattn.store.queries.items import ItemField
from studyattn.study import review
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile, open_profile
from studyattn.study.records import log_of, memories
from studyattn.study.review.item_actions import change
from studyattn.study.review.redate import check_clock, find_ahead, redate, told_ahead
from tests.tui.pack import write_pack

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
YEAR = timedelta(days=365)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOW)


@pytest.fixture
def profile(
    tmp_path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Profile]:
    empty = tmp_path / "no-content"
    empty.mkdir()
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: empty)
    home = Home(tmp_path / "home")
    write_pack(home.root / "packs" / "small")
    with open_profile(home, clock) as profile:
        yield profile


def answer(profile: Profile, guid: str, rating: Rating) -> None:
    review.batch.answer(profile, guid, rating)


def guids(profile: Profile) -> list[str]:
    return [each.guid for each in review.browse.items(profile) if each.kind == "card"]


def learn(profile: Profile, clock: FixedClock, ahead: timedelta) -> None:
    """Answer on three days, the last two under a clock that is ahead; then it is right again."""
    one, two, *_ = guids(profile)
    answer(profile, one, Rating.GOOD)
    clock.at = NOW + timedelta(days=3) + ahead
    answer(profile, one, Rating.GOOD)
    answer(profile, two, Rating.AGAIN)
    clock.advance(timedelta(days=4))
    answer(profile, two, Rating.HARD)
    clock.at = NOW + timedelta(days=7, hours=2)


def remembered(profile: Profile) -> object:
    with profile.database.read() as connection:
        return memories(connection)


def test_dating_anew_gives_what_a_right_clock_would_have_given(
    profile: Profile, clock: FixedClock, tmp_path: Path
) -> None:
    learn(profile, clock, YEAR)
    assert "3 answers are dated in the future" in str(told_ahead(profile)[0])
    tomorrow = profile.today() + timedelta(days=1)
    change(profile, guids(profile)[2], ItemField.BURIED, tomorrow)
    found = check_clock(profile.home, clock.now())
    assert found is not None
    assert (found.answers, found.cards, found.days) == (3, 2, 365)
    with pytest.raises(InputError, match="at least --days 365"):
        redate(profile, 364)
    assert redate(profile, 365) == found
    assert told_ahead(profile) == ()
    assert redate(profile, 365) is None
    other = Home(tmp_path / "right")
    write_pack(other.root / "packs" / "small")
    right = FixedClock(NOW)
    with open_profile(other, right) as expected:
        learn(expected, right, timedelta(0))
        assert remembered(profile) == remembered(expected)
    assert review.rebuild.check_database(profile.home) == []


def test_what_was_written_stays_in_the_log(profile: Profile, clock: FixedClock) -> None:
    learn(profile, clock, YEAR)
    two = guids(profile)[1]
    with profile.database.read() as connection:
        before = log_of(connection, two)
    redate(profile, 365)
    with profile.database.read() as connection:
        after = log_of(connection, two)
    assert set(before) < set(after)
    assert len(after) == 3 * len(before)
    assert [each.rating for each in effective_reviews(after)] == [Rating.AGAIN, Rating.HARD]


def test_an_undone_answer_does_not_come_back(profile: Profile, clock: FixedClock) -> None:
    learn(profile, clock, YEAR)
    undone = review.recorder.undo(profile)
    assert undone is not None
    redate(profile, 365)
    with profile.database.read() as connection:
        kept = effective_reviews(log_of(connection, guids(profile)[1]))
    assert [each.rating for each in kept] == [Rating.AGAIN]


def test_items_put_off_by_the_wrong_clock_come_back(profile: Profile, clock: FixedClock) -> None:
    learn(profile, clock, YEAR)
    right, clock.at = clock.at, clock.at + YEAR
    tomorrow = profile.today() + timedelta(days=1)
    change(profile, guids(profile)[2], ItemField.BURIED, tomorrow)
    clock.at = right
    redate(profile, 365)
    with profile.database.read() as connection:
        assert (
            connection.exec_driver_sql(
                "SELECT count(*) FROM item WHERE buried_until IS NOT NULL"
            ).scalar()
            == 0
        )


def test_two_machines_that_date_the_same_anew_count_it_once(
    profile: Profile, clock: FixedClock, tmp_path: Path
) -> None:
    learn(profile, clock, YEAR)
    other = Home(tmp_path / "other")
    write_pack(other.root / "packs" / "small")
    with open_profile(other, clock) as second:
        merge_database(second.database, profile.database, review.rebuild.refold)
        redate(profile, 365)
        redate(second, 365)
        for one, two in ((profile, second), (second, profile)):
            merge_database(one.database, two.database, review.rebuild.refold)
        assert remembered(profile) == remembered(second)
    guid = guids(profile)[1]
    with profile.database.read() as connection:
        assert len(effective_reviews(log_of(connection, guid))) == 2


def test_an_answer_a_few_minutes_ahead_is_nothing(profile: Profile, clock: FixedClock) -> None:
    answer(profile, guids(profile)[0], Rating.GOOD)
    with profile.database.read() as connection:
        assert find_ahead(connection, NOW - timedelta(minutes=50)) is None
        assert find_ahead(connection, NOW - timedelta(minutes=70)) is not None
