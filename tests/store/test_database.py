"""Opening, reading and writing real files, from one process and from several."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import IntegrityError, StatementError

from studyattn.errors import DamagedDatabaseError, NewerDatabaseError, StoreError
from studyattn.home import Home
from studyattn.store import backup, backup_files, database_file, health, migrate, revisions
from studyattn.store.database import Connection, Database, open_database
from studyattn.store.engine import store_error
from studyattn.store.models import AttemptRow, ConceptChangeRow, ConceptRow, ItemRow, ReviewRow
from studyattn.store.sql import do, driver_of, values
from studyattn.store.sqlite_file import connect
from tests.databases import environment_of
from tests.store.conftest import NOW, add_items, add_review


def count_reviews(database: Database) -> int:
    with database.read() as connection:
        return connection.scalar(select(func.count()).select_from(ReviewRow)) or 0


def test_every_connection_keeps_the_promises(database: Database) -> None:
    with database.read() as connection, database.read() as another:
        for each in (connection, another):
            pragmas = {
                name: each.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
            }
            assert pragmas == {
                "journal_mode": "wal",
                "foreign_keys": 1,
                "synchronous": 2,
                "busy_timeout": 20_000,
            }


def test_what_was_written_is_there_after_reopening(any_home: Home) -> None:
    with open_database(any_home, now=NOW) as database, database.write() as connection:
        add_items(connection, 3)
        add_review(connection, "one")
    with open_database(any_home, now=NOW) as database:
        assert count_reviews(database) == 1


def write_twice(connection: Connection) -> None:
    for _ in range(2):
        add_review(connection, "one")  # the second time it is there already


def test_a_failed_write_leaves_nothing(any_database: Database) -> None:
    with pytest.raises(IntegrityError), any_database.write() as connection:
        write_twice(connection)
    assert count_reviews(any_database) == 0


def test_a_reader_sees_one_moment(any_database: Database) -> None:
    with any_database.read() as reading:
        assert reading.scalar(select(func.count()).select_from(ReviewRow)) == 0
        with any_database.write() as writing:
            add_review(writing, "one")
        assert reading.scalar(select(func.count()).select_from(ReviewRow)) == 0
    assert count_reviews(any_database) == 1


def test_instants_come_back_aware_and_naive_ones_are_refused(any_database: Database) -> None:
    with any_database.write() as connection:
        add_review(connection, "one")
        assert connection.scalar(select(ReviewRow.at)) == NOW
        naive = datetime(2026, 1, 1)  # noqa: DTZ001 - what must be refused
        with pytest.raises(StatementError, match="no time zone"):
            connection.execute(update(ItemRow).values(due=naive))


@pytest.mark.parametrize("table", [ReviewRow, AttemptRow, ConceptChangeRow])
def test_the_log_refuses_change_and_deletion(any_database: Database, table: type) -> None:
    with any_database.write() as connection:
        add_items(connection, 1)
        add_review(connection, "one")
        attempt = {"uuid": "a", "item_guid": "card-0", "at": NOW, "utc_offset": 0}
        said = {"learner_day": NOW.date(), "code": "", "backend": "torch", "device": "cpu"}
        connection.execute(insert(AttemptRow).values(**attempt, **said, verdict="passed"))
        change = {"concept_id": 1, "at": NOW, "from_state": "unseen", "to_state": "known"}
        connection.execute(insert(ConceptChangeRow).values(**change, reason="", author="learner"))
    name = table.__table__.name  # type: ignore[attr-defined] # all three are models
    third = {
        "sqlite": f"INSERT OR REPLACE INTO {name} SELECT * FROM {name}",
        "postgresql": f"TRUNCATE {name}",
    }
    for statement in (
        f"UPDATE {name} SET id = id + 1",
        f"DELETE FROM {name}",
        third["sqlite" if any_database.home.server is None else "postgresql"],
    ):
        with (
            pytest.raises(IntegrityError, match="rows are only added"),
            any_database.write() as connection,
        ):
            connection.exec_driver_sql(statement)


@pytest.mark.parametrize(
    "values",
    [
        {"rating": 5},
        {"rating": 0},
        {"rating": None},
        {"rating": 3, "withdraws": "another"},
    ],
)
def test_a_row_of_the_log_rates_or_withdraws(
    any_database: Database, values: dict[str, object]
) -> None:
    row = {"uuid": "x", "item_guid": "card-0", "at": NOW, "utc_offset": 0, "origin": "learner"}
    with pytest.raises(IntegrityError), any_database.write() as connection:
        connection.execute(insert(ReviewRow).values(**row, learner_day=NOW.date(), **values))


def test_a_reference_to_nothing_is_refused(any_database: Database) -> None:
    with pytest.raises(IntegrityError), any_database.write() as connection:
        connection.execute(
            insert(ItemRow).values(guid="x", kind="card", concept_id=77, created_at=NOW)
        )


def test_a_full_disk_is_said_in_words(database: Database) -> None:
    with database.write() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")  # of this, the pool's, connection
    with pytest.raises(StoreError, match="disk is full"), database.write() as connection:
        connection.execute(insert(ConceptRow).values(slug="x", title="long " * 100_000))


def test_a_lock_that_is_held_too_long_is_said_in_words(database: Database) -> None:
    with (
        database.write(),
        closing(sqlite3.connect(database.path, timeout=0)) as another,
        pytest.raises(sqlite3.OperationalError) as raised,
    ):
        another.execute("BEGIN IMMEDIATE")
    told = store_error(raised.value, database.path)
    assert told is not None
    assert "kept it locked" in str(told)


def test_a_folder_that_cannot_be_made_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be used"):
        open_database(Home(tmp_path / "file" / "home"), now=NOW)


def test_a_database_that_is_a_folder_is_said_in_words(tmp_path: Path) -> None:
    Home(tmp_path).database.mkdir()
    with pytest.raises(StoreError):
        open_database(Home(tmp_path), now=NOW)


def test_another_programs_database_is_left_alone(home: Home) -> None:
    home.root.mkdir()
    with closing(sqlite3.connect(home.database)) as connection:
        connection.execute("CREATE TABLE theirs (id)")
    before = home.database.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        open_database(home, now=NOW)
    assert home.database.read_bytes() == before


def test_a_newer_database_is_left_alone(any_home: Home) -> None:
    with open_database(any_home, now=NOW) as database, database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(NewerDatabaseError, match="9999"):
        open_database(any_home, now=NOW)


def damage(home: Home) -> None:
    with home.database.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(3 * 4096))


def test_a_damaged_database_is_told_with_its_newest_good_backup_and_not_touched(
    home: Home,
) -> None:
    with open_database(home, now=NOW) as database, database.write() as connection:
        add_items(connection, 50)
    old = backup.make(home, now=NOW - timedelta(days=2))
    good = backup.make(home, now=NOW - timedelta(days=1))
    bad = backup.make(home, now=NOW)
    bad.path.write_bytes(b"not a database at all" * 1000)
    damage(home)
    before = home.database.read_bytes()
    with pytest.raises(DamagedDatabaseError) as raised:
        open_database(home, now=NOW)
    assert good.path.name in str(raised.value)
    assert old.path.name not in str(raised.value)
    assert home.database.read_bytes() == before


@pytest.mark.parametrize("content", [b"x", b"not a database" * 1000, b"SQLite format 3\0" * 300])
def test_a_file_that_is_no_database_is_damaged(home: Home, content: bytes) -> None:
    home.root.mkdir()
    home.database.write_bytes(content)
    with pytest.raises(DamagedDatabaseError, match="no good backup"):
        open_database(home, now=NOW)
    assert home.database.read_bytes() == content


def test_a_file_that_lost_all_it_held_is_damaged_and_no_new_home(home: Home) -> None:
    with open_database(home, now=NOW) as database, database.write() as connection:
        add_items(connection, 1)
    kept = backup.make(home, now=NOW)
    home.database.write_bytes(b"")
    with pytest.raises(DamagedDatabaseError, match=kept.path.name):
        open_database(home, now=NOW)
    assert home.database.read_bytes() == b""


def test_what_an_interrupted_first_start_left_is_no_damage(home: Home) -> None:
    home.root.mkdir()
    home.database.touch()
    open_database(home, now=NOW).close()
    assert home.database.stat().st_size > 0


def test_a_database_where_nobody_can_write_is_read(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_database(home, now=NOW) as database, database.write() as connection:
        add_items(connection, 3)
    monkeypatch.setattr(os, "access", lambda place, _: place != home.root)
    with closing(connect(home.database, read_only=True)) as connection:
        assert connection.execute("SELECT count(*) FROM item").fetchone() == (3,)
        assert not list(home.root.glob("*-shm"))


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that were read through, in order."""
    seen: list[Path] = []
    examine = database_file.examine_file

    def noticed(path: Path, *, thorough: bool) -> list[str]:
        seen.append(path)
        return examine(path, thorough=thorough)

    monkeypatch.setattr(health, "examine_file", noticed)
    return seen


def test_the_file_is_read_through_only_when_that_can_tell_something_new(
    home: Home, checks: list[Path]
) -> None:
    for _ in range(3):
        with open_database(home, now=NOW) as database, database.write() as connection:
            connection.exec_driver_sql("PRAGMA user_version = 1")
    first = len(checks)
    assert first <= 1  # the first opening made it, the second found no mark yet

    open_database(home, now=NOW).disconnect()  # ends without closing; nothing was written
    open_database(home, now=NOW).close()
    assert len(checks) == first

    crashed = open_database(home, now=NOW)
    with crashed.write() as connection:
        add_items(connection, 3)
    crashed.disconnect()
    open_database(home, now=NOW).close()
    assert len(checks) == first + 1

    open_database(home, now=NOW + timedelta(days=1)).close()
    assert len(checks) == first + 2


def test_a_migration_backs_up_first_and_is_undone_when_it_fails(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_database(home, now=NOW) as database, database.write() as connection:
        add_items(connection, 3)
    monkeypatch.setattr(revisions, "REVISIONS", (*revisions.REVISIONS, "next"))
    monkeypatch.setattr(revisions, "HEAD", "next")

    def break_references(connection: Connection) -> None:
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 0
        connection.exec_driver_sql("DELETE FROM concept")

    monkeypatch.setattr(migrate, "upgrade", break_references)
    with pytest.raises(StoreError, match="item row 1 refers to a missing concept"):
        open_database(home, now=NOW)
    (made,) = backup_files.list_backups(home)
    assert made.reason == "migration"
    assert backup_files.check(made.path) == []
    monkeypatch.undo()
    with open_database(home, now=NOW) as database, database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(ConceptRow)) == 1


OPEN = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from studyattn.home import find_home
from studyattn.store.database import open_database
from sqlalchemy import text

home = find_home(Path(sys.argv[1]))
with open_database(home, now=datetime.now(UTC)) as database:
    print("alembic" in sys.modules, flush=True)
    sys.stdin.readline()
    for number in range(int(sys.argv[3])):
        with database.write() as connection:
            connection.execute(
                text("INSERT INTO setting VALUES (:key, '1')"),
                {"key": f"{sys.argv[2]}-{number}"},
            )
"""


def start(home: Home, name: str, writes: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", OPEN, str(home.root), name, str(writes)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, **environment_of(home)},
    )


def test_two_processes_make_one_database_at_once_and_both_write(any_home: Home) -> None:
    if any_home.server is not None:  # one whose schema is not there yet
        any_home = replace(any_home, server=replace(any_home.server, learner="newcomer"))
    processes = [start(any_home, name, 100) for name in ("one", "two", "three")]
    for process in processes:
        out, err = process.communicate("\n")
        assert process.returncode == 0, err
        assert out.split()
    with open_database(any_home, now=NOW) as database, database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM setting").scalar() == 300
        assert health.dangling(connection) == []
    assert backup_files.list_backups(any_home) == []  # nobody migrated what another had just made


def test_opening_an_up_to_date_database_does_not_import_alembic(any_home: Home) -> None:
    open_database(any_home, now=NOW).close()
    out, err = start(any_home, "one", 1).communicate("\n")
    assert (out.split(), err) == (["False"], "")


def test_what_is_remembered_ends_with_any_change(home: Home, database: Database) -> None:
    def names(read: Connection) -> list[str]:
        statement = "SELECT key FROM setting ORDER BY key"
        return driver_of(read).remembered("names", lambda: values(read, statement))

    def add(key: str) -> None:
        with database.write() as connection:
            do(connection, "INSERT INTO setting VALUES (:key, '1')", key=key)
            assert key in names(connection)  # within the transaction, too
            if key == "undone":
                raise RuntimeError("taken back")

    with database.read() as connection:
        before = names(connection)
        assert names(connection) is before
    add("own")
    with database.read() as connection:
        assert names(connection) == sorted(["own", *before])
    with pytest.raises(RuntimeError, match="taken back"):
        add("undone")
    with database.read() as connection:
        assert names(connection) == sorted(["own", *before])
    with closing(sqlite3.connect(home.database)) as other:
        other.execute("DELETE FROM setting WHERE key = 'own'")
        other.commit()
    with database.read() as connection:
        assert names(connection) == before
