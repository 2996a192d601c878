"""A home on disk, and a database open in it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select

from studyattn.address import ServerAddress
from studyattn.home import Home
from studyattn.store.database import Connection, Database, open_database
from studyattn.store.models import ConceptRow, ItemRow, ReviewRow
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "a home with spaces & 100 %")


@pytest.fixture
def database(home: Home) -> Iterator[Database]:
    with open_database(home, now=NOW) as database:
        yield database


@pytest.fixture
def any_home(tmp_path: Path, either: ServerAddress | None) -> Home:
    """A home whose database is a file, then one whose database is on a server."""
    return Home(tmp_path / "home", either)


@pytest.fixture
def any_database(any_home: Home) -> Iterator[Database]:
    with open_database(any_home, now=NOW) as database:
        yield database


def add_items(connection: Connection, count: int) -> None:
    concept = connection.execute(insert(ConceptRow).values(slug="masking", title="Masking"))
    assert concept.inserted_primary_key is not None
    (concept_id,) = concept.inserted_primary_key
    connection.execute(
        insert(ItemRow),
        [
            {"guid": f"card-{n}", "kind": "card", "concept_id": concept_id, "created_at": NOW}
            for n in range(count)
        ],
    )


def add_review(connection: Connection, uuid: str, guid: str = "card-0") -> None:
    connection.execute(
        insert(ReviewRow).values(
            uuid=uuid,
            item_guid=guid,
            rating=3,
            at=NOW,
            utc_offset=60,
            learner_day=NOW.date(),
            origin="learner",
        )
    )


@pytest.fixture
def learner(home: Home) -> Iterator[Profile]:
    """A learner with three cards, in the home of the test's module."""
    with open_database(home, now=NOW) as database:
        with database.write() as connection:
            add_items(connection, 3)
        yield Profile(home, database, FixedClock(NOW))


def reviews(database: Database) -> int:
    with database.read() as connection:
        return connection.scalar(select(func.count()).select_from(ReviewRow)) or 0
