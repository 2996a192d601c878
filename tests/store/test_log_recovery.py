"""Recovery of what stands in the log alone, or in frames from before it was begun anew."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from benchmarks.recovery import answer_uuid
from studyattn.cli import run
from studyattn.home import Home
from studyattn.store import backup, pages
from studyattn.store.database import open_database
from studyattn.store.models import ReviewRow
from studyattn.store.recovery import recover
from tests.store.conftest import NOW, add_items, add_review
from tests.store.test_recovery import add_note, log_of, nothing


def answered(folder: Path, checkpointed: int, logged: int) -> Home:
    """A home as a crash leaves it: the last answers are in its log alone."""
    working = Home(folder / "working")
    with open_database(working, now=NOW) as database:
        with database.write() as connection:
            add_items(connection, 3)
            for number in range(checkpointed):
                add_review(connection, answer_uuid(number))
        with database.read() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        backup.make(working, now=NOW)
        for number in range(checkpointed, checkpointed + logged):
            with database.write() as connection:
                add_review(connection, answer_uuid(number))
        shutil.copytree(working.root, folder / "home")
    return Home(folder / "home")


def stored_reviews(home: Home) -> set[str]:
    with open_database(home, now=NOW) as database, database.read() as connection:
        return set(connection.scalars(select(ReviewRow.uuid)))


def test_answers_in_the_log_of_an_emptied_database_come_back_after_a_check(tmp_path: Path) -> None:
    home = answered(tmp_path, 1200, 83)
    os.truncate(home.database, 0)
    log = log_of(home).read_bytes()
    (home.root / "studyattn.db-checked").unlink(missing_ok=True)
    assert run(["--home", str(home.root), "db", "check"]) == 1
    assert log_of(home).read_bytes() == log
    assert run(["--home", str(home.root), "db", "recover"]) == 0
    assert stored_reviews(home) == {answer_uuid(number) for number in range(1283)}
    assert run(["--home", str(home.root), "db", "check"]) == 0


def begun_anew(folder: Path, reviews_before: int, after: int) -> Home:
    """A home whose log was begun anew: its first frames are new, those behind them from before."""
    working = Home(folder / "working")
    with open_database(working, now=NOW) as database:
        with database.write() as connection:
            add_items(connection, 3)
            add_note(connection, "kept", "first", NOW)
        with database.read() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        backup.make(working, now=NOW)
        for number in range(reviews_before):
            with database.write() as connection:
                add_review(connection, answer_uuid(number))
        with database.write() as connection:
            connection.exec_driver_sql(
                "UPDATE note SET body = 'second', updated_at = '2026-11-22 00:00:00.000000'"
            )
            add_note(connection, "later", "new", NOW)
        with database.read() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(FULL)")  # the file has all of it
        for number in range(reviews_before, reviews_before + after):
            with database.write() as connection:
                add_review(connection, answer_uuid(number))
        shutil.copytree(working.root, folder / "home")
    return Home(folder / "home")


def notes(home: Home) -> dict[str, str]:
    with closing(sqlite3.connect(home.database)) as file:
        return dict(file.execute("SELECT guid, body FROM note"))


def test_rows_of_the_log_from_before_it_was_begun_anew_come_back(tmp_path: Path) -> None:
    home = begun_anew(tmp_path, 120, 4)
    with closing(pages.Image(home.database, log_of(home))) as image:
        assert len(image.earlier()) > 3
    os.truncate(home.database, 2 * 4096)
    recover(home, nothing, now=NOW)
    assert stored_reviews(home) == {answer_uuid(number) for number in range(124)}
    assert notes(home) == {"kept": "second", "later": "new"}


def test_an_earlier_frame_never_stands_in_for_what_the_file_or_a_later_backup_has(
    tmp_path: Path,
) -> None:
    home = begun_anew(tmp_path, 120, 2)
    with closing(sqlite3.connect(tmp_path / "working" / "studyattn.db")) as file, file:
        file.execute("UPDATE note SET body = 'third', updated_at = '2026-11-23 00:00:00.000000'")
    backup.make(Home(tmp_path / "working"), now=NOW + timedelta(days=2))
    for made in (tmp_path / "working" / "backups").iterdir():
        shutil.copy(made, home.backups)
    whole = home.database.read_bytes()
    recover(home, nothing, now=NOW)  # sound: nothing is done
    assert home.database.read_bytes()[:4096] == whole[:4096]
    os.truncate(home.database, 2 * 4096)
    recover(home, nothing, now=NOW)
    assert notes(home) == {"kept": "third", "later": "third"}


@pytest.mark.parametrize("spoil", ["checksum", "uncommitted", "another file"])
def test_earlier_frames_that_are_damaged_or_were_never_committed_are_passed_over(
    tmp_path: Path, spoil: str
) -> None:
    home = begun_anew(tmp_path, 120, 4)
    log = log_of(home)
    data = bytearray(log.read_bytes())
    salt, step = data[16:24], 24 + 4096
    places = [at for at in range(32, len(data), step) if data[at + 8 : at + 16] != salt]
    assert len(places) > 3
    for place in places[1:] if spoil == "checksum" else places:
        if spoil == "checksum":
            data[place + 24 + 4000] ^= 1
        elif spoil == "uncommitted":
            data[place + 4 : place + 8] = bytes(4)
        else:
            data[place + 8] ^= 0x40
    log.write_bytes(data)
    with closing(pages.Image(home.database, log)) as image:
        assert len(image.earlier()) <= (1 if spoil == "checksum" else 0)
