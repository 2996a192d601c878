"""The state of a database's files is told before SQLite opens them, which changes some of them."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from multiprocessing.connection import Connection as Pipe
from pathlib import Path

import pytest
from sqlalchemy import select

import studyattn
from studyattn.errors import DamagedDatabaseError, StoreError
from studyattn.home import Home
from studyattn.store import backup, database_file, health, hindered
from studyattn.store.database import open_database
from studyattn.store.engine import open_file
from studyattn.store.models import ReviewRow
from studyattn.store.quick import open_quickly
from studyattn.store.sqlite_file import (
    DAMAGED,
    DamagedFileError,
    State,
    connect,
    copy,
    files_beside,
    look,
)
from tests.store.conftest import NOW, add_review

ROWS = 60


@pytest.fixture
def crashed(tmp_path: Path) -> Path:
    """A database whose last half is only in its log, as a crash leaves it."""
    (tmp_path / "working").mkdir()
    working, left = tmp_path / "working" / "a.db", tmp_path / "a.db"
    with closing(sqlite3.connect(working, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t (x)")
        for number in range(ROWS):
            if number == ROWS // 2:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("INSERT INTO t VALUES (randomblob(2000))")
        for path, name in zip(
            (working, *files_beside(working)), (left, *files_beside(left)), strict=True
        ):
            if path.exists():
                shutil.copyfile(path, name)
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")  # the log stays as it is
        shutil.copyfile(working, tmp_path / "checkpointed.db")
    return left


def without_log(path: Path) -> None:
    files_beside(path)[0].unlink()


def overwritten(path: Path, start: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(content)


def only_a_log(path: Path) -> None:
    path.unlink()


def gone(path: Path) -> None:
    path.unlink()
    without_log(path)


def empty(path: Path) -> None:
    os.truncate(path, 0)
    without_log(path)


def cut_without_log(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 4096)
    without_log(path)


STATES: tuple[tuple[Callable[[Path], object], State], ...] = (
    (lambda _: None, State.WHOLE),
    (without_log, State.WHOLE),
    (gone, State.ABSENT),
    (empty, State.EMPTY),
    (lambda path: os.truncate(path, 0), State.EMPTIED),
    (only_a_log, State.LOST),
    (lambda path: overwritten(path, 0, bytes(100)), State.HEADLESS),
    (lambda path: overwritten(path, 16, b"\x12\x34"), State.HEADLESS),
    (lambda path: os.truncate(path, 90), State.HEADLESS),
    (cut_without_log, State.CUT),
)


@pytest.mark.parametrize(("harm", "state"), STATES)
def test_a_damaged_file_is_told_and_not_opened(
    crashed: Path, harm: Callable[[Path], object], state: State
) -> None:
    harm(crashed)
    assert look(crashed) is state
    if state not in DAMAGED:
        return
    there = {path: path.read_bytes() for path in crashed.parent.glob("a.db*")}
    for read_only in (True, False):
        with pytest.raises(DamagedFileError):
            connect(crashed, read_only=read_only)
    with pytest.raises(Exception, match="file"):
        open_file(crashed)
    target = crashed.with_name("copy")
    copy(crashed, target)
    assert {path: path.read_bytes() for path in crashed.parent.glob("a.db*")} == there
    assert look(target) is state


def test_a_checkpoint_that_was_killed_is_no_damage(crashed: Path, tmp_path: Path) -> None:
    size = crashed.stat().st_size
    shutil.copyfile(tmp_path / "checkpointed.db", crashed)
    assert crashed.stat().st_size > size
    os.truncate(crashed, size)  # its first pages were written, the others were not
    assert look(crashed) is State.WHOLE
    with closing(connect(crashed)) as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (ROWS,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("is_in_use", [False, True])
def test_a_copy_has_what_is_in_the_log_and_leaves_no_file_beside(
    crashed: Path, tmp_path: Path, is_in_use: bool
) -> None:
    if not is_in_use:
        files_beside(crashed)[1].unlink()
    before = {path.name for path in tmp_path.glob("a.db*")}
    copy(crashed, tmp_path / "copy.db")
    assert {path.name for path in tmp_path.glob("a.db*")} == before
    with closing(connect(tmp_path / "copy.db")) as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (ROWS,)


def test_nothing_else_opens_a_file_with_sqlite() -> None:
    """Whoever opens a learner's file by another way than `connect` has not looked at it."""
    root = Path(studyattn.__file__).parent
    allowed = {
        "store/sqlite_file.py",
        "store/salvage.py",  # reads a copy that is known to be damaged
        "exchange/anki/package.py",  # another program's file, unpacked into a folder of our own
        "exchange/anki/writer.py",
        "exchange/anki/into.py",  # another program's file, of which a copy is made first
    }
    found = {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        if "sqlite3.connect(" in path.read_text("utf-8")
    }
    assert found == allowed


def test_a_log_that_a_crash_left_is_looked_at_though_the_file_is_as_it_was(tmp_path: Path) -> None:
    working, home = Home(tmp_path / "working"), Home(tmp_path / "home")
    for _ in range(2):
        open_database(working, now=NOW).close()
    with open_database(working, now=NOW) as database:
        for number in range(30):
            with database.write() as connection:
                add_review(connection, f"review-{number}")
        shutil.copytree(working.root, home.root)
    log = files_beside(home.database)[0]
    overwritten(log, log.stat().st_size // 3, b"\xa5" * 600)
    there = home.database.read_bytes(), log.read_bytes()
    with pytest.raises(DamagedDatabaseError, match="log"):
        open_database(home, now=NOW)
    with pytest.raises(DamagedDatabaseError, match="log"):  # of what comes before the damage
        backup.make(home, now=NOW)
    assert (home.database.read_bytes(), log.read_bytes()) == there


@pytest.mark.parametrize("harm", [empty, only_a_log])
def test_a_damaged_home_that_cannot_be_written_is_no_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: Callable[[Path], object]
) -> None:
    home = Home(tmp_path / "home")
    with open_database(home, now=NOW) as database:
        with database.write() as connection:
            add_review(connection, "one")
        backup.make(home, now=NOW)
        files = {path: path.read_bytes() for path in home.root.glob("studyattn.db*")}
    for path, content in files.items():
        path.write_bytes(content)
    harm(home.database)
    read_only = StoreError("this home is read-only")
    monkeypatch.setattr(hindered, "hindrance", lambda _: read_only)
    with pytest.raises(DamagedDatabaseError, match="db restore"):
        open_database(home, now=NOW)


def look_at_it(home: Home) -> None:
    look(home.database)


def open_it_quickly(home: Home) -> None:
    with open_quickly(home) as connection:
        assert connection is not None


def open_it_again(home: Home) -> None:
    open_database(home, now=NOW).close()


def use_two_connections(home: Home) -> None:
    with open_database(home, now=NOW) as database, database.read() as one, database.read() as two:
        for connection in (one, two):
            connection.exec_driver_sql("SELECT count(*) FROM review")


LOOKING: tuple[Callable[[Home], object], ...] = (
    look_at_it,
    open_it_quickly,
    open_it_again,
    use_two_connections,
    health.is_made,
    lambda home: backup.make(home, now=NOW),
    lambda home: database_file.examine_file(home.database, thorough=True),
)


@pytest.mark.parametrize("looking", LOOKING)
def test_no_look_at_an_open_database_makes_another_process_delete_its_log(
    home: Home, looking: Callable[[Home], object]
) -> None:
    """Closing a file gives up the locks that SQLite has on it in the same process."""
    open_database(home, now=NOW).close()
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=answer_and_die, args=(home, looking, theirs))
    process.start()
    assert ours.poll(60)
    with open_database(home, now=NOW) as database, database.write() as connection:
        add_review(connection, "b")
    ours.send("answered")
    process.join(60)
    assert process.exitcode == 9
    with open_database(home, now=NOW) as database, database.read() as connection:
        assert set(connection.scalars(select(ReviewRow.uuid))) == {"a", "b", "c"}


def answer_and_die(home: Home, looking: Callable[[Home], object], test: Pipe) -> None:
    """Look at the home between two answers, and let the test answer before the second one."""
    database = open_database(home, now=NOW)
    with database.write() as connection:
        add_review(connection, "a")
    looking(home)
    test.send("looked")
    assert test.recv() == "answered"
    with database.write() as connection:
        add_review(connection, "c")
    os._exit(9)


def test_a_log_without_its_index_is_read_with_its_file(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "one.db")) as writing:
        writing.execute("PRAGMA journal_mode = WAL")
        writing.execute("CREATE TABLE answer (n)")
        writing.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        writing.execute("INSERT INTO answer VALUES (7)")
        writing.commit()
        for ending in ("", "-wal"):  # as a copy of the folder has them while nobody has it open
            shutil.copy(tmp_path / f"one.db{ending}", tmp_path / f"other.db{ending}")
    with closing(connect(tmp_path / "other.db", read_only=True)) as reading:
        assert reading.execute("SELECT n FROM answer").fetchall() == [(7,)]
