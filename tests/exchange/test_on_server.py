"""Leaving a database on a server and coming back: exports, backups, and joining across."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from sqlalchemy import func, insert, select

from studyattn.address import ServerAddress
from studyattn.errors import DamagedDatabaseError, DocumentError, InputError
from studyattn.exchange import archive
from studyattn.exchange.json_lines import read_lines, write_lines
from studyattn.exchange.merge.merge_into import merge_into
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.store.database import Database, open_database
from studyattn.store.models import ConceptRow, ItemRow, ReviewRow
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.store.snapshot import Snapshot
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile
from studyattn.study.review import batch
from studyattn.study.review.rebuild import check_database, refold
from tests.databases import Server
from tests.exchange.generated import snapshot
from tests.exchange.homes import NOW, Homes, merge


@pytest.fixture
def home(tmp_path: Path, address: ServerAddress) -> Home:
    return Home(tmp_path / "home", address)


@pytest.fixture
def learner(home: Home) -> Iterator[Profile]:
    with open_database(home, now=NOW) as database:
        with database.write() as connection:
            connection.execute(insert(ConceptRow).values(id=1, slug="c", title="C"))
            row = {"guid": "drill", "kind": "drill", "concept_id": 1, "created_at": NOW}
            connection.execute(insert(ItemRow).values(**row))
        yield Profile(home, database, FixedClock(NOW))


def exported(database: Database) -> str:
    with database.read() as connection:
        return "\n".join(write_lines(load_snapshot(connection)))


def reviews(database: Database) -> int:
    with database.read() as connection:
        return connection.scalar(select(func.count()).select_from(ReviewRow)) or 0


def without_nul(held: Snapshot) -> Snapshot:
    """As a server can keep it."""
    lines = [line.replace("\\u0000", "\\ufffd").encode() for line in write_lines(held)]
    return read_lines(lines, "all.jsonl")


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(held=snapshot())
def test_a_file_and_a_server_hold_the_same_in_the_same_order(
    homes: Homes, server: Server, tmp_path: Path, held: Snapshot
) -> None:
    held = without_nul(held)
    with (
        homes.new() as file,
        server.database() as name,
        open_database(Home(tmp_path, server.address(name)), now=NOW) as shared,
    ):
        for database in (file, shared):
            merge_into(database, held, refold)
        assert exported(shared) == exported(file)
        assert merge(file, server.address(name)).changes_nothing
        assert merge(shared, file.path).changes_nothing
        assert check_database(shared.home) == []


def test_a_database_on_a_server_joins_one_in_a_file(homes: Homes, learner: Profile) -> None:
    batch.answer(learner, "drill", Rating.GOOD)
    assert learner.home.server is not None
    with homes.new() as file:
        taken = merge(file, learner.home.server)
        assert (taken.added["items"], taken.added["reviews"]) == (1, 1)
        assert check_database(file.home) == []


def test_a_server_that_holds_nothing_of_the_learner_is_not_merged(
    homes: Homes, address: ServerAddress
) -> None:
    nobody = replace(address, learner="nobody")
    with homes.new() as file, pytest.raises(InputError, match="there is no database"):
        merge(file, nobody)


def test_a_backup_is_everything_and_takes_the_place_of_everything(learner: Profile) -> None:
    batch.answer(learner, "drill", Rating.GOOD)
    before = exported(learner.database)
    made = archive.make(learner.database, now=NOW)
    assert made.path.name == "studyattn-20261121T120000Z-manual.jsonl"
    batch.answer(learner, "drill", Rating.EASY)
    kept = archive.restore(learner.home, made.path, refold, now=NOW)
    assert exported(learner.database) == before
    assert check_database(learner.home) == []
    assert isinstance(kept, Path)
    archive.restore(learner.home, kept, refold, now=NOW)
    assert reviews(learner.database) == 2
    batch.answer(learner, "drill", Rating.GOOD)  # numbers and triggers are there again
    with (
        pytest.raises(Exception, match="rows are only added"),
        learner.database.write() as connection,
    ):
        connection.exec_driver_sql("DELETE FROM review")


def test_what_cannot_be_restored_changes_nothing(learner: Profile, tmp_path: Path) -> None:
    batch.answer(learner, "drill", Rating.GOOD)
    before = exported(learner.database)
    torn = tmp_path / "torn.jsonl"
    torn.write_text(before[: len(before) - 20])
    with pytest.raises(DocumentError, match=r"torn\.jsonl:"):
        archive.restore(learner.home, torn, refold, now=NOW)
    nowhere = tmp_path / "nowhere.jsonl"
    nowhere.write_text(before.replace('"slug": "c"', '"slug": "d"'))
    with pytest.raises(InputError, match="no concept 'c'"):
        archive.restore(learner.home, nowhere, refold, now=NOW)
    assert exported(learner.database) == before


@pytest.mark.parametrize(
    "harm", ["DROP TABLE attempt", "DELETE FROM alembic_version", "DROP TABLE review CASCADE"]
)
def test_what_is_left_of_a_damaged_database_is_refused_and_kept_by_a_restore(
    home: Home, learner: Profile, harm: str
) -> None:
    made = archive.make(learner.database, now=NOW).path
    with learner.database.write() as connection:
        connection.exec_driver_sql(harm)
    learner.database.disconnect()
    with pytest.raises(DamagedDatabaseError, match="db restore"):
        open_database(home, now=NOW)
    with pytest.raises(DamagedDatabaseError):
        check_database(home)
    kept = archive.restore(home, made, refold, now=NOW)
    with open_database(home, now=NOW) as database, database.read() as connection:
        there = connection.exec_driver_sql(
            "SELECT count(*) FROM pg_tables WHERE schemaname = %(kept)s", {"kept": str(kept)}
        ).scalar_one()
        assert there > 5
        assert connection.scalar(select(func.count()).select_from(ItemRow)) == 1
    assert check_database(home) == []
