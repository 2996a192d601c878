"""Recovery: every row that is left comes back, and nothing that is there is touched or halved."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from benchmarks.recovery import HARM, Rows, answer_uuid, make_home, rows_of, try_copy
from studyattn.errors import DamagedDatabaseError, NotFoundError, StoreError
from studyattn.home import Home
from studyattn.store import backup, backup_files, pages, replacing, salvage, sqlite_file
from studyattn.store.database import Connection, Database, open_database
from studyattn.store.models import NoteRow, ReviewRow
from studyattn.store.recovery import recover
from studyattn.study.review.rebuild import check_database
from tests.store.conftest import NOW, add_items, add_review

COPIES = len(HARM)  # `python -m benchmarks.recovery --copies 500` for more


def nothing(_: Database) -> None:
    """Derive nothing: these homes have no packs, and no memory of their reviews."""


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home with answers that are in its log alone."""
    folder = tmp_path_factory.mktemp("recovery")
    return make_home(folder / "whole", answers=100, with_pack=False)


@pytest.fixture(scope="module")
def truth(crashed: Home) -> Rows:
    copy = crashed.root.with_name("truth")
    shutil.copytree(crashed.root, copy)
    return rows_of(copy / "studyattn.db")


@pytest.fixture
def damaged(crashed: Home, tmp_path: Path) -> Home:
    """The home, to be damaged by the test."""
    shutil.copytree(crashed.root, tmp_path / "damaged")
    return Home(tmp_path / "damaged")


def overwrite(path: Path, start: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(content)


def zero(path: Path, start: int, length: int) -> None:
    overwrite(path, start, bytes(length))


def log_of(home: Home) -> Path:
    return sqlite_file.files_beside(home.database)[0]


def add_note(connection: Connection, guid: str, body: str, at: datetime) -> None:
    connection.execute(
        insert(NoteRow).values(guid=guid, title=guid, body=body, created_at=at, updated_at=at)
    )


def reviews(home: Home) -> set[str]:
    return {uuid for table, uuid in rows_of(home.database) if table == "review"}


def test_what_sqlite_still_reads_of_damaged_copies_is_recovered(
    crashed: Home, truth: Rows, tmp_path: Path
) -> None:
    copies = [
        try_copy(crashed, truth, number, tmp_path, nothing, ask=False) for number in range(COPIES)
    ]
    assert [(each.harm, each.lost[:3]) for each in copies if each.lost] == []
    problems = {
        (each.harm, problem)
        for each in copies
        for problem in each.problems
        if "its memory state does not match" not in problem
    }
    assert problems == set()
    assert sum(each.sound for each in copies) < COPIES // 2
    assert sum(each.readable for each in copies) > COPIES * len(truth) // 4


def test_a_dry_run_says_what_the_recovery_does_and_changes_nothing(damaged: Home) -> None:
    zero(damaged.database, 0, 4096)
    before = {path: path.read_bytes() for path in damaged.root.iterdir() if path.is_file()}
    told = recover(damaged, nothing, now=NOW, dry_run=True)
    assert {path: path.read_bytes() for path in damaged.root.iterdir() if path.is_file()} == before
    done = recover(damaged, nothing, now=NOW)
    assert told.tables == done.tables
    assert (told.database, told.kept) == (None, None)
    assert done.kept is not None
    assert done.database == damaged.database


def test_without_its_first_page_and_without_a_backup_all_rows_come_back(
    damaged: Home, truth: Rows
) -> None:
    shutil.rmtree(damaged.backups)
    zero(damaged.database, 0, 4096)
    zero(log_of(damaged), 0, 32)
    done = recover(damaged, nothing, now=NOW)
    assert {each.table: each.missing for each in done.tables if each.missing} == {}
    assert rows_of(damaged.database) == truth


def test_commits_behind_damage_in_the_log_are_damage_and_come_back(
    damaged: Home, truth: Rows
) -> None:
    log = log_of(damaged)
    overwrite(log, log.stat().st_size // 3, b"\xa5" * 600)  # zeros may be there already
    assert pages.is_torn(log)
    with pytest.raises(DamagedDatabaseError, match="log"):  # SQLite alone would open and lose them
        open_database(damaged, now=NOW)
    recover(damaged, nothing, now=NOW)
    last = max(uuid for table, uuid in truth if table == "review")
    assert last in reviews(damaged)


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.99])
def test_a_log_that_ends_early_as_after_a_power_cut_is_no_damage(
    damaged: Home, kept: float
) -> None:
    log = log_of(damaged)
    with log.open("r+b") as file:
        file.truncate(int(log.stat().st_size * kept))
    assert not pages.is_torn(log)
    with open_database(damaged, now=NOW):
        pass


def test_rows_that_are_lost_are_counted(home: Home) -> None:
    with open_database(home, now=NOW) as database:
        for number in range(90):
            with database.write() as connection:
                add_review(connection, f"review-{number:03}")
    data = bytearray(home.database.read_bytes())
    page = data.index(b"review-040") // 4096 * 4096
    there = {number for number in range(90) if b"review-%03d" % number in data[page : page + 4096]}
    leaves = [
        start
        for start in range(0, len(data), 4096)
        if data[start] == 0x0D and b"review-040" in data[start : start + 4096]
    ]
    assert len(leaves) == 1
    zero(home.database, leaves[0], 4096)
    done = recover(home, nothing, now=NOW)
    (log,) = [each for each in done.tables if each.table == "review"]
    assert log.read + log.missing == 90
    assert log.missing > 0
    assert len(there) > 0
    again = recover(home, nothing, now=NOW)
    assert again.findings == ()


def test_a_value_that_cannot_be_read_is_the_backups(home: Home) -> None:
    with open_database(home, now=NOW) as database, database.write() as connection:
        add_items(connection, 3)
        add_review(connection, "one")
    backup.make(home, now=NOW)
    with closing(sqlite3.connect(home.database)) as file, file:
        file.execute("UPDATE concept SET title = CAST(x'fffe41' AS TEXT), body = 'Mine'")
        file.execute("UPDATE item SET marked = 1, kind = 'card' WHERE guid = 'card-1'")
    done = recover(home, nothing, now=NOW)
    assert done.findings
    with closing(sqlite3.connect(home.database)) as file:
        assert file.execute("SELECT title, body FROM concept").fetchall() == [("Masking", "Mine")]
        assert file.execute("SELECT guid FROM item WHERE marked").fetchall() == [("card-1",)]


def test_a_card_whose_concept_is_lost_is_kept_with_a_substitute(home: Home) -> None:
    with open_database(home, now=NOW) as database, database.write() as connection:
        add_items(connection, 3)
    with closing(sqlite3.connect(home.database)) as file, file:
        file.execute("DELETE FROM concept")
    done = recover(home, nothing, now=NOW)
    assert "refers to a missing concept" in done.findings[0]
    with closing(sqlite3.connect(home.database)) as file:
        assert file.execute("SELECT slug FROM concept").fetchall() == [("recovered-1",)]
        assert file.execute("SELECT count(*) FROM item").fetchone() == (3,)
        assert file.execute("SELECT count(*) FROM card").fetchone() == (3,)


def test_a_sound_database_is_left_alone(home: Home, database: Database) -> None:
    database.close()
    before = home.database.read_bytes()
    assert recover(home, nothing, now=NOW).findings == ()
    assert home.database.read_bytes() == before


def test_a_database_that_is_gone_is_recovered_from_its_log_and_backup(
    damaged: Home, truth: Rows
) -> None:
    damaged.database.unlink()
    done = recover(damaged, nothing, now=NOW)
    assert done.kept is None or done.kept.exists()
    half = {uuid for table, uuid in truth if table == "review" and uuid < answer_uuid(50)}
    assert half <= reviews(damaged)


def test_a_home_without_anything_has_nothing_to_recover(home: Home) -> None:
    with pytest.raises(NotFoundError):
        recover(home, nothing, now=NOW)
    home.root.mkdir()
    with pytest.raises(NotFoundError):
        recover(home, nothing, now=NOW)


def test_an_open_database_is_not_recovered(home: Home, database: Database) -> None:
    with pytest.raises(StoreError, match=r"open in another.*then recover"):
        recover(home, nothing, now=NOW)


def test_the_columns_of_a_row_on_a_page_are_those_of_the_models(
    home: Home, database: Database
) -> None:
    """Rows that SQLite does not reach are read by the places of their values."""
    with closing(sqlite3.connect(home.database)) as connection:
        for name, table in salvage.TABLES.items():
            told = [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
            assert told == [column.name for column in table.columns]


def act(doing: str, home: Home) -> None:
    """Recover a home, or restore its newest good backup."""
    good = backup_files.newest_good(home)
    assert good is not None
    if doing == "recover":
        recover(home, nothing, now=NOW)
    else:
        backup.restore(home, good.path, now=NOW)


def act_until(step: int, doing: str, home: Home) -> None:
    """Do it in a process that dies before its n-th change of a database's name."""
    left = step

    def counted(change: Callable[..., object]) -> Callable[..., object]:
        def dying(*arguments: object, **named: object) -> object:
            nonlocal left
            left -= Path(str(arguments[0])).name.startswith("studyattn.db")
            if left < 0:
                os._exit(9)
            return change(*arguments, **named)

        return dying

    for name in ("link", "unlink", "replace"):
        setattr(os, name, counted(getattr(os, name)))
    act(doing, home)


@pytest.mark.parametrize("doing", ["recover", "restore"])
def test_death_before_any_step_halves_nothing(
    damaged: Home, truth: Rows, tmp_path: Path, doing: str
) -> None:
    zero(damaged.database, 4096, 4096)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    whole = tmp_path / "before"
    shutil.copytree(damaged.root, whole)
    step, died = 0, True
    while died:
        shutil.rmtree(damaged.root)
        shutil.copytree(whole, damaged.root)
        process = context.Process(target=act_until, args=(step, doing, damaged))
        process.start()
        process.join(60)
        assert process.exitcode in (0, 9)
        died = process.exitcode == 9
        step += 1
        try:
            with open_database(damaged, now=NOW) as database, database.read() as connection:
                found = set(connection.scalars(select(ReviewRow.uuid)))
        except DamagedDatabaseError:  # not begun; so all of it is there
            act(doing, damaged)
            found = reviews(damaged)
        wanted = {uuid for table, uuid in truth if table == "review"}
        assert len(found) >= len(wanted) // 2, step
        if doing == "recover":
            assert len(wanted - found) <= 1, step
        names = {path.name for path in damaged.root.iterdir()}
        assert not any(name.endswith("-new") for name in names), (step, names)
        # The damaged file and its log are there once, whole, for another recovery.
        kept = [path for path in damaged.root.glob("*.damaged-*Z*") if path.suffix != ".db"]
        assert {path.name.partition("Z")[2] for path in kept} >= {"", "-wal"}, step
    assert step > 5


def test_the_search_index_of_a_sound_file_is_mended(home: Home) -> None:
    with open_database(home, now=NOW) as database, database.write() as connection:
        add_note(connection, "one", "softmax of scores", NOW)
    with closing(sqlite3.connect(home.database)) as file, file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master")]
        (index,) = [name for name in tables if name.endswith("_data") and "note" in name][:1]
        file.execute(f"UPDATE {index} SET block = zeroblob(length(block)) WHERE id > 10")
    assert check_database(home) != []
    told = recover(home, nothing, now=NOW, dry_run=True)
    assert (told.findings, len(told.mended)) == ((), 1)
    assert check_database(home) != []
    assert recover(home, nothing, now=NOW).mended == told.mended
    assert check_database(home) == []


def test_rows_of_the_log_whose_item_does_not_exist_are_kept_and_told(home: Home) -> None:
    with open_database(home, now=NOW) as database, database.write() as connection:
        add_items(connection, 2)
        connection.exec_driver_sql("UPDATE item SET tags = CAST(x'fffe41' AS TEXT)")  # the damage
        for number, guid in enumerate(("card-1", "card-9", "x")):
            add_review(connection, answer_uuid(number), guid)
    done = recover(home, nothing, now=NOW)
    (log,) = [each for each in done.tables if each.table == "review"]
    assert (log.read, log.unplaced) == (3, 2)
    with closing(sqlite3.connect(home.database)) as file:
        named = [guid for (guid,) in file.execute("SELECT item_guid FROM review ORDER BY id")]
    assert named == ["card-1", "card-9", "x"]


def copy_and_die(doing: str, home: Home) -> None:
    """Recover or restore in a process that dies once its copy is whole."""
    for module in (replacing, backup):
        module.set_aside = lambda *_: os._exit(9)  # type: ignore[attr-defined]
    act(doing, home)


@pytest.mark.parametrize("doing", ["recover", "restore", "back up"])
def test_a_process_that_is_killed_leaves_no_copy_after_the_next_start(
    damaged: Home, doing: str
) -> None:
    if doing == "back up":
        left = damaged.backups / f"{replacing.UNFINISHED}{os.getpid()}.part"
        left.write_bytes(b"half")
    else:
        zero(damaged.database, 4096, 4096)
        process = multiprocessing.get_context("fork").Process(
            target=copy_and_die, args=(doing, damaged)
        )
        process.start()
        process.join(60)
        assert process.exitcode == 9
    assert list(damaged.root.rglob(f"{replacing.UNFINISHED}*"))
    with suppress(DamagedDatabaseError):
        open_database(damaged, now=NOW).close()
    assert not list(damaged.root.rglob(f"{replacing.UNFINISHED}*"))
