"""Homes from before the review log became smaller: nothing is lost on the way, whatever happens."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from pytest_alembic import MigrationContext
from sqlalchemy import Engine, event, insert, select, table, text
from sqlalchemy.sql import column

from studyattn.home import Home
from studyattn.store import backup_files, migrate
from studyattn.store.database import open_database
from studyattn.store.database_file import examine_file
from studyattn.store.models import ReviewRow
from studyattn.store.queries.review_log import all_reviews
from studyattn.store.recovery import recover
from tests.store.conftest import NOW
from tests.store.test_migrations import alembic_config, alembic_engine

__all__ = ["alembic_config", "alembic_engine"]

ARCHIVE = Path(__file__).parents[1] / "homes" / "0.1.0.zip"
COLUMNS = "uuid, item_guid, rating, withdraws, at, utc_offset, learner_day, seconds, origin"
OLD_ROWS = f"SELECT {COLUMNS} FROM review"
MORE = 6000  # rows, so that what the migration frees is much of the file
Rows = set[tuple[Any, ...]]


def rows_now(home: Home) -> Rows:
    """The rows of the log, with instants and days as the schema before kept them."""
    with open_database(home, now=NOW) as database, database.read() as connection:
        return {
            (
                *(each.uuid, each.item_guid, each.rating, each.withdraws),
                each.at.replace(tzinfo=None).isoformat(" ", "microseconds"),
                *(each.utc_offset, each.learner_day.isoformat(), each.seconds, each.origin),
            )
            for each in all_reviews(connection)
        }


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(folder)
    home = folder / "home"
    with closing(sqlite3.connect(home / "studyattn.db")) as connection, connection:
        (row,) = connection.execute(f"{OLD_ROWS} WHERE rating = 3 LIMIT 1")
        marks = ", ".join("?" * len(row))
        more = ((str(uuid4()), *row[1:]) for _ in range(MORE))
        connection.executemany(f"INSERT INTO review ({COLUMNS}) VALUES ({marks})", more)
    return home


@pytest.fixture(scope="module")
def truth(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Rows:
    copy = tmp_path_factory.mktemp("truth") / "home"
    shutil.copytree(unpacked, copy)
    with closing(sqlite3.connect(copy / "studyattn.db")) as connection:
        rows = set(connection.execute(OLD_ROWS))
    assert len(rows) > 700
    return rows


@pytest.fixture
def old(unpacked: Path, tmp_path: Path) -> Home:
    shutil.copytree(unpacked, tmp_path / "home")
    return Home(tmp_path / "home")


ROWS = (
    ("019aaaeb-181a-7000-8000-000000000000", None, "2025-11-22 09:35:25.210032", "2025-11-21"),
    ("anki 7", "019aaaeb-181a-7000-8000-000000000000", "1969-12-31 23:59:59.000001", "1969-12-31"),
    ("019AAAEB-181A-7000-8000-000000000001", None, "2400-02-29 00:00:00.000000", "2400-02-29"),
    ("sixteen-letters-", "anki 7", "2026-03-02 12:00:00.999999", "2026-03-02"),
)
"""UUID, withdrawn UUID, instant and learner day as the schema before kept them."""


def test_every_value_comes_through_and_back(
    alembic_runner: MigrationContext, alembic_engine: Engine
) -> None:
    alembic_runner.migrate_up_to("0011")
    names = ("uuid", "withdraws", "at", "learner_day", "item_guid", "rating", "utc_offset")
    review = table("review", *map(column, (*names, "seconds", "origin")))
    server = alembic_engine.dialect.name != "sqlite"
    with alembic_engine.begin() as connection:
        for uuid, withdraws, at, day in ROWS:
            rest = {"rating": None if withdraws else 3, "utc_offset": 60, "seconds": 4.5}
            values = {"uuid": uuid, "withdraws": withdraws, "item_guid": "t:1", **rest}
            dated: dict[str, Any] = {"at": at, "learner_day": day}
            if server:
                dated = {"at": text(f"timestamp '{at}'"), "learner_day": text(f"date '{day}'")}
            connection.execute(insert(review).values(**values, **dated, origin="learner"))
    for _ in range(2):
        alembic_runner.migrate_up_to("heads")
        with alembic_engine.connect() as connection:
            rows = connection.execute(
                select(ReviewRow.uuid, ReviewRow.withdraws, ReviewRow.at, ReviewRow.learner_day)
            ).all()
        assert {
            (uuid, withdraws, f"{at:%Y-%m-%d %H:%M:%S.%f}", day.isoformat())
            for uuid, withdraws, at, day in rows
        } == set(ROWS)
        alembic_runner.migrate_down_to("0011")
        with alembic_engine.connect() as connection:
            rows = connection.execute(select(*list(review.c)[:4])).all()
        shown = "{:%Y-%m-%d %H:%M:%S.%f}" if server else "{}"
        assert {(u, w, shown.format(at), str(day)) for u, w, at, day in rows} == set(ROWS)


def die(*_: object) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 1


def migrate_until(step: str, operations: int, home: Home) -> None:
    """Open a home in a process that is killed within the statement that begins so."""

    def begun(connection: Any, _cursor: object, statement: str, *_: object) -> None:
        if statement.strip().startswith(step):
            connection.connection.driver_connection.set_progress_handler(die, operations)

    event.listen(Engine, "before_cursor_execute", begun)
    shrink = migrate._shrink

    def shrink_until(driver: sqlite3.Connection) -> None:
        if step == "VACUUM":
            driver.set_progress_handler(die, operations)
        shrink(driver)

    migrate._shrink = shrink_until
    open_database(home, now=NOW)


@pytest.mark.parametrize(
    ("step", "operations"),
    [
        ("INSERT INTO review (", 3000),
        ("UPDATE alembic_version SET version_num='0012'", 1),
        ("VACUUM", 2000),
    ],
)
def test_a_kill_while_the_log_is_written_anew_loses_nothing(
    old: Home, truth: Rows, step: str, operations: int
) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    process = context.Process(target=migrate_until, args=(step, operations, old))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    assert examine_file(old.database, thorough=True) == []
    with closing(sqlite3.connect(old.database)) as connection:
        (uuid,) = connection.execute("SELECT typeof(uuid) FROM review LIMIT 1").fetchone()
    assert uuid == ("blob" if step == "VACUUM" else "text")  # all of it, or nothing
    assert rows_now(old) == truth
    assert backup_files.newest_good(old) is not None


def test_what_is_left_of_a_damaged_home_of_before_is_kept_as_it_is_now(
    old: Home, truth: Rows
) -> None:
    assert examine_file(old.database, thorough=True) == []  # so its backups are good ones
    shutil.rmtree(old.backups, ignore_errors=True)
    with old.database.open("r+b") as file:
        file.write(bytes(4096))
    done = recover(old, lambda _: None, now=NOW)
    assert done.findings
    assert rows_now(old) == truth
