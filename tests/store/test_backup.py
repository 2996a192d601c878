"""Backups: made whole, thinned by age, put back without losing what they replace."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, insert, select

from studyattn.errors import DamagedDatabaseError, NotFoundError, StoreError
from studyattn.home import Home
from studyattn.store import backup, backup_files, in_use
from studyattn.store.database import Database, open_database
from studyattn.store.log_values import read_uuid
from studyattn.store.models import NoteRow, ReviewRow
from tests.store.conftest import NOW, add_items, add_review

DAY = timedelta(days=1)


def uuids(home: Home) -> set[str]:
    with open_database(home, now=NOW) as database, database.read() as connection:
        return set(connection.scalars(select(ReviewRow.uuid)))


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
    assert backup_files.check(made.path) == []
    assert made.path.name == "studyattn-20261121T120000Z-manual.db"
    assert [path.name for path in home.backups.iterdir()] == [made.path.name]  # one file, no log
    database.close()
    backup.restore(home, made.path, now=NOW)
    assert uuids(home) == {"before"}


def test_two_backups_of_one_second_are_two_files(home: Home, database: Database) -> None:
    paths = {backup.make(home, now=NOW).path for _ in range(3)}
    assert len(paths) == 3
    assert {each.path for each in backup_files.list_backups(home)} == paths


BACK_UP = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from studyattn.home import Home
from studyattn.store import backup, in_use

backup.make(Home(Path(sys.argv[1])), now=datetime.now(UTC))
"""


def unfinished(home: Home) -> list[Path]:
    return list(home.backups.glob(".studyattn-copy.*"))


def test_what_a_killed_backup_left_is_removed_by_the_next_one(
    home: Home, database: Database
) -> None:
    with database.write() as connection:
        add_items(connection, 1)
        notes = [
            {
                "guid": f"n{n}",
                "title": "",
                "body": "x" * 10**6,
                "created_at": NOW,
                "updated_at": NOW,
            }
            for n in range(60)
        ]
        connection.execute(insert(NoteRow), notes)
    process = subprocess.Popen([sys.executable, "-c", BACK_UP, str(home.root)])
    while not unfinished(home) and process.poll() is None:
        time.sleep(0.001)
    process.kill()
    process.wait()
    assert unfinished(home)
    made = backup.make(home, now=NOW)
    assert [*home.backups.iterdir()] == [made.path]


def test_what_another_process_is_copying_is_left_alone(home: Home, database: Database) -> None:
    backup.make(home, now=NOW)
    busy = home.backups / ".studyattn-copy.8.part"
    busy.write_bytes(b"half")
    with closing(in_use.share(home.backups, 0)):
        backup.make(home, now=NOW)
        assert unfinished(home) == [busy]
    backup.make(home, now=NOW)
    assert unfinished(home) == []


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


def test_answers_in_the_log_of_a_damaged_database_are_kept_with_it(home: Home) -> None:
    with open_database(home, now=NOW) as database:
        write_review(database, "one")
        made = backup.make(home, now=NOW)
    running = open_database(home, now=NOW)
    write_review(running, "only in the log")
    crashed = Home(home.root.parent / "crashed")
    crashed.root.mkdir()
    for suffix in ("", "-wal", "-shm"):  # as a SIGKILL leaves them
        name = f"studyattn.db{suffix}"
        shutil.copy(home.root / name, crashed.root / name)
    running.close()
    before = crashed.database.read_bytes()
    with crashed.database.open("r+b") as file:
        file.seek(8 * 4096)
        file.write(bytes(4096))
    kept = backup.restore(crashed, made.path, now=NOW)
    assert kept is not None
    again = backup.restore(crashed, made.path, now=NOW)  # of the same second: overwrites nothing
    assert again not in (None, kept)
    assert uuids(crashed) == {"one"}
    with kept.open("r+b") as file:  # what was kept is a set that SQLite takes for one database
        file.write(before)
    with closing(sqlite3.connect(kept)) as connection:
        found = {read_uuid(uuid) for (uuid,) in connection.execute("SELECT uuid FROM review")}
    assert found == {"one", "only in the log"}


def test_a_database_that_cannot_be_read_at_all_is_replaced(home: Home) -> None:
    with open_database(home, now=NOW) as database:
        write_review(database, "one")
        made = backup.make(home, now=NOW)
    home.database.unlink()
    home.database.mkdir()  # reading it fails for every user, also for root
    kept = backup.restore(home, made.path, now=NOW)
    assert uuids(home) == {"one"}
    assert kept is not None
    assert kept.is_dir()


def spoil_text(path: Path) -> None:
    """Put text that is not UTF-8 into a value; SQLite itself finds no fault with it."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE concept SET title = CAST(x'fffe41' AS TEXT)")


def test_a_database_with_text_that_is_not_utf8_makes_no_backup(home: Home) -> None:
    with open_database(home, now=NOW) as database, database.write() as connection:
        add_items(connection, 1)
    good = backup.make(home, now=NOW)
    spoil_text(home.database)
    with pytest.raises(DamagedDatabaseError, match=good.path.name):
        backup.make(home, now=NOW + DAY)
    assert [each.path for each in backup_files.list_backups(home)] == [good.path]
    kept = backup.restore(home, good.path, now=NOW + DAY)
    assert kept is not None
    assert ".damaged-" in kept.name


def test_a_backup_with_text_that_is_not_utf8_is_not_a_good_one(home: Home) -> None:
    with open_database(home, now=NOW) as database, database.write() as connection:
        add_items(connection, 1)
    good = backup.make(home, now=NOW)
    bad = backup.make(home, now=NOW + DAY)
    spoil_text(bad.path)
    assert backup_files.newest_good(home) == good
    assert "concept" in backup_files.check(bad.path)[0]
    with pytest.raises(DamagedDatabaseError, match="cannot be restored"):
        backup.restore(home, bad.path, now=NOW)


ANSWER = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from studyattn.errors import StudyattnError
from studyattn.home import Home
from studyattn.store.database import open_database
from tests.store.conftest import add_review

home, name = Home(Path(sys.argv[1])), sys.argv[2]
number = 0
while True:
    number += 1
    with open_database(home, now=datetime.now(UTC)) as database:
        with database.write() as connection:
            add_review(connection, f"{name}-{number}")
    print(f"{name}-{number}", flush=True)
    time.sleep(0.03)  # as between two commands
"""


def everywhere(home: Home) -> set[str]:
    """The reviews in the database, in its backups and in what was put aside."""
    found = uuids(home)
    files = [*home.backups.glob("*.db"), *home.root.glob("*.damaged-*Z"), *home.root.glob("*Z-?")]
    for path in files:
        with closing(sqlite3.connect(path)) as connection:
            stored = connection.execute("SELECT uuid FROM review")
            found |= {read_uuid(uuid) for (uuid,) in stored}
    return found


@pytest.mark.parametrize("damaged", [False, True])
def test_no_answer_that_is_given_during_a_restore_is_lost(
    home: Home, damaged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_database(home, now=NOW):
        made = backup.make(home, now=NOW)
    if damaged:  # damage that those who answer do not meet
        monkeypatch.setattr(backup, "_is_sound", lambda _: False)
    answering = [
        subprocess.Popen(
            [sys.executable, "-c", ANSWER, str(home.root), name],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        for name in ("a", "b")
    ]
    restored = 0
    for process in answering:
        assert process.stdout is not None
        process.stdout.readline()
    deadline = time.monotonic() + 20
    while restored < 8 and time.monotonic() < deadline:
        try:
            backup.restore(home, made.path, now=NOW)
        except StoreError:
            time.sleep(0.001)
        else:
            restored += 1
    said = [process.poll() for process in answering]
    for process in answering:
        process.kill()
    acknowledged = {"a-1", "b-1"}
    for process in answering:
        out, err = process.communicate()
        acknowledged |= set(out.split())
        assert err == ""
    assert said == [None, None]  # still answering: whoever met a restore waited
    assert restored > 0
    assert acknowledged - everywhere(home) == set()


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
    assert [each.reason for each in backup_files.list_backups(home)] == ["manual"]


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
    assert backup_files.list_backups(home) == []
    assert backup_files.newest_good(home) is None


def test_the_automatic_backup_is_made_once_a_day_and_thinned(
    home: Home, database: Database
) -> None:
    asked_for = backup.make(home, now=NOW - 400 * DAY, reason="manual")
    made = [backup.make_if_due(home, now=NOW + hour * timedelta(hours=1)) for hour in range(49)]
    assert sum(each is not None for each in made) == 3
    for day in range(3, 30):
        assert backup.make_if_due(home, now=NOW + day * DAY) is not None
    left = backup_files.list_backups(home)
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
    kept = backup_files.thin(made)
    assert kept <= made
    assert len(kept) <= backup_files.DAILY + backup_files.WEEKLY + backup_files.MONTHLY
    assert not made or max(made) in kept
    for gone in made - kept:
        later_months = {(at.year, at.month) for at in kept if at > gone}
        same_month = any((at.year, at.month) == (gone.year, gone.month) for at in kept if at > gone)
        assert same_month or len(later_months) >= backup_files.MONTHLY


@given(st.sets(INSTANTS, max_size=40))
def test_thinning_twice_is_thinning_once(made: set[datetime]) -> None:
    once = backup_files.thin(made)
    assert backup_files.thin(once) == once


def test_a_year_of_daily_backups_thins_to_days_weeks_and_months() -> None:
    made = [NOW - number * DAY for number in range(365)]
    kept = sorted(((NOW - at).days for at in backup_files.thin(made)), reverse=False)
    # NOW is a Saturday, 21 November: seven days; Sundays 15, 8, 1; the ends of five months before.
    assert kept == [0, 1, 2, 3, 4, 5, 6, 13, 20, 21, 52, 82, 113, 144]


def test_the_list_passes_over_other_files(home: Home, database: Database) -> None:
    backup.make(home, now=NOW)
    (home.backups / "notes.txt").write_text("mine")
    (home.backups / ".studyattn-20261121T120000Z-manual.77.part").write_text("unfinished")
    assert len(backup_files.list_backups(home)) == 1


def test_a_backup_is_found_by_its_name_or_its_path(home: Home, database: Database) -> None:
    with pytest.raises(NotFoundError, match="none yet"):
        backup_files.find(home, "x.db")
    made = backup.make(home, now=NOW)
    assert backup_files.find(home, made.path.name) == made.path
    assert backup_files.find(home, str(made.path)) == made.path
    with pytest.raises(NotFoundError, match=made.path.name):
        backup_files.find(home, "x.db")


def test_the_count_survives(home: Home, database: Database) -> None:
    for number in range(20):
        write_review(database, str(number))
    made = backup.make(home, now=NOW)
    elsewhere = Home(home.root.parent / "elsewhere")
    backup.restore(elsewhere, made.path, now=NOW)
    with open_database(elsewhere, now=NOW) as copy, copy.read() as connection:
        assert connection.scalar(select(func.count()).select_from(ReviewRow)) == 20
