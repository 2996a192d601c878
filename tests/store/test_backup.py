"""Backups: made whole, thinned by age, put back without losing what they replace."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

from studyattn.errors import DamagedDatabaseError, NotFoundError, StoreError
from studyattn.home import Home
from studyattn.store import backup
from studyattn.store.database import Database, open_database
from studyattn.store.models import Review
from tests.store.conftest import NOW, add_review

DAY = timedelta(days=1)


def uuids(home: Home) -> set[str]:
    with open_database(home, now=NOW) as database, database.read() as connection:
        return set(connection.scalars(select(Review.uuid)))


def write_review(database: Database, uuid: str) -> None:
    with database.write() as connection:
        add_review(connection, uuid)


def test_a_backup_of_an_open_database_holds_what_was_committed(
    home: Home, database: Database
) -> None:
    write_review(database, "before")
    with database.write() as connection:
        add_review(connection, "uncommitted")
        made = backup.make(home, now=NOW)
    assert backup.check(made.path) == []
    assert made.path.name == "studyattn-20261121T120000Z-manual.db"
    assert [path.name for path in home.backups.iterdir()] == [made.path.name]  # one file, no log
    database.close()
    backup.restore(home, made.path, now=NOW)
    assert uuids(home) == {"before"}


def test_two_backups_of_one_second_are_two_files(home: Home, database: Database) -> None:
    paths = {backup.make(home, now=NOW).path for _ in range(3)}
    assert len(paths) == 3
    assert {each.path for each in backup.list_backups(home)} == paths


def test_what_a_killed_backup_left_is_cleared_away(home: Home, database: Database) -> None:
    made = backup.make(home, now=NOW)
    left, journal, busy = (
        home.backups / f".studyattn-copy.{name}" for name in ("7.part", "7.part-journal", "8.part")
    )
    for path in (left, journal, busy):
        path.write_bytes(b"half")
    for path in (left, journal):
        os.utime(path, (time.time() - 2 * backup.ABANDONED_AFTER,) * 2)
    again = backup.make(home, now=NOW)
    assert {*home.backups.iterdir()} == {made.path, again.path, busy}


def test_restoring_keeps_what_it_replaces(home: Home) -> None:
    with open_database(home, now=NOW) as database:
        write_review(database, "old")
        made = backup.make(home, now=NOW)
        write_review(database, "newer")
    kept = backup.restore(home, made.path, now=NOW + DAY)
    assert uuids(home) == {"old"}
    assert kept is not None
    assert kept.name == "studyattn-20261122T120000Z-before-restore.db"
    backup.restore(home, kept, now=NOW + 2 * DAY)
    assert uuids(home) == {"old", "newer"}


def test_restoring_over_a_damaged_database_keeps_the_damaged_file(home: Home) -> None:
    with open_database(home, now=NOW) as database:
        write_review(database, "one")
        made = backup.make(home, now=NOW)
    home.database.write_bytes(b"rubbish" * 999)
    kept = backup.restore(home, made.path, now=NOW)
    assert uuids(home) == {"one"}
    assert kept is not None
    assert kept.read_bytes() == b"rubbish" * 999


def test_the_log_of_a_damaged_database_is_not_applied_to_the_restored_one(home: Home) -> None:
    with open_database(home, now=NOW) as database:
        write_review(database, "kept")
        made = backup.make(home, now=NOW)
        write_review(database, "after the backup")
        left_over = database.path.with_name("studyattn.db-wal")
        log = left_over.read_bytes()
    home.database.write_bytes(b"rubbish" * 999)
    left_over.write_bytes(log)
    backup.restore(home, made.path, now=NOW)
    assert not left_over.exists()
    assert uuids(home) == {"kept"}


def test_restoring_into_an_empty_home(home: Home, database: Database) -> None:
    write_review(database, "one")
    made = backup.make(home, now=NOW)
    elsewhere = Home(home.root.parent / "elsewhere")
    assert backup.restore(elsewhere, made.path, now=NOW) is None
    assert uuids(elsewhere) == {"one"}


def test_an_open_database_is_not_replaced(home: Home, database: Database) -> None:
    write_review(database, "one")
    made = backup.make(home, now=NOW)
    with pytest.raises(StoreError, match="open in another"):
        backup.restore(home, made.path, now=NOW)
    assert [each.reason for each in backup.list_backups(home)] == ["manual"]


def test_a_damaged_backup_is_not_restored(home: Home, database: Database) -> None:
    write_review(database, "one")
    made = backup.make(home, now=NOW)
    database.close()
    made.path.write_bytes(made.path.read_bytes()[:5000])
    with pytest.raises(DamagedDatabaseError, match="cannot be restored"):
        backup.restore(home, made.path, now=NOW)
    assert uuids(home) == {"one"}


def test_a_backup_of_a_newer_program_is_not_restored(home: Home) -> None:
    with open_database(home, now=NOW) as database, database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    made = backup.make(home, now=NOW)
    with pytest.raises(DamagedDatabaseError, match="9999"):
        backup.restore(home, made.path, now=NOW)


def test_what_is_not_there_can_be_neither_backed_up_nor_restored(home: Home) -> None:
    with pytest.raises(NotFoundError):
        backup.make(home, now=NOW)
    with pytest.raises(NotFoundError):
        backup.restore(home, home.backups / "none.db", now=NOW)
    assert backup.list_backups(home) == []
    assert backup.newest_good(home) is None


def test_the_automatic_backup_is_made_once_a_day_and_thinned(
    home: Home, database: Database
) -> None:
    asked_for = backup.make(home, now=NOW - 400 * DAY, reason="manual")
    made = [backup.make_if_due(home, now=NOW + hour * timedelta(hours=1)) for hour in range(49)]
    assert sum(each is not None for each in made) == 3
    for day in range(3, 30):
        assert backup.make_if_due(home, now=NOW + day * DAY) is not None
    left = backup.list_backups(home)
    assert asked_for.path in {each.path for each in left}
    assert left[0].made_at == NOW + 29 * DAY
    # Day 29 is Sunday, 20 December: seven days, four Sundays, and the last day of November.
    kept_days = sorted((each.made_at - NOW).days for each in left if each.reason == "automatic")
    assert kept_days == [8, 9, 15, 22, 23, 24, 25, 26, 27, 28, 29]


INSTANTS = st.datetimes(
    datetime(2020, 1, 1),  # noqa: DTZ001 - hypothesis takes bounds without a zone
    datetime(2027, 1, 1),  # noqa: DTZ001 - the same
    timezones=st.just(UTC),
)


@given(st.sets(INSTANTS, max_size=60))
def test_thinning_keeps_the_newest_of_recent_days_weeks_and_months(made: set[datetime]) -> None:
    kept = backup.thin(made)
    assert kept <= made
    assert len(kept) <= backup.DAILY + backup.WEEKLY + backup.MONTHLY
    assert not made or max(made) in kept
    for gone in made - kept:
        later_months = {(at.year, at.month) for at in kept if at > gone}
        same_month = any((at.year, at.month) == (gone.year, gone.month) for at in kept if at > gone)
        assert same_month or len(later_months) >= backup.MONTHLY


@given(st.sets(INSTANTS, max_size=40))
def test_thinning_twice_is_thinning_once(made: set[datetime]) -> None:
    once = backup.thin(made)
    assert backup.thin(once) == once


def test_a_year_of_daily_backups_thins_to_days_weeks_and_months() -> None:
    made = [NOW - number * DAY for number in range(365)]
    kept = sorted(((NOW - at).days for at in backup.thin(made)), reverse=False)
    # NOW is a Saturday, 21 November: seven days; Sundays 15, 8, 1; the ends of five months before.
    assert kept == [0, 1, 2, 3, 4, 5, 6, 13, 20, 21, 52, 82, 113, 144]


def test_the_list_passes_over_other_files(home: Home, database: Database) -> None:
    backup.make(home, now=NOW)
    (home.backups / "notes.txt").write_text("mine")
    (home.backups / ".studyattn-20261121T120000Z-manual.77.part").write_text("unfinished")
    assert len(backup.list_backups(home)) == 1


def test_a_backup_is_found_by_its_name_or_its_path(home: Home, database: Database) -> None:
    with pytest.raises(NotFoundError, match="none yet"):
        backup.find(home, "x.db")
    made = backup.make(home, now=NOW)
    assert backup.find(home, made.path.name) == made.path
    assert backup.find(home, str(made.path)) == made.path
    with pytest.raises(NotFoundError, match=made.path.name):
        backup.find(home, "x.db")


def test_the_count_survives(home: Home, database: Database) -> None:
    for number in range(20):
        write_review(database, str(number))
    made = backup.make(home, now=NOW)
    elsewhere = Home(home.root.parent / "elsewhere")
    backup.restore(elsewhere, made.path, now=NOW)
    with open_database(elsewhere, now=NOW) as copy, copy.read() as connection:
        assert connection.scalar(select(func.count()).select_from(Review)) == 20
