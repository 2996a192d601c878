"""A learner with a database of its own, a handful of cards and a clock that stands still."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from studyattn.address import ServerAddress
from studyattn.home import Home
from studyattn.store.database import Database, open_database
from studyattn.store.models import CardRow, ConceptRequiresRow, ConceptRow, ItemRow
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
AddItem = Callable[..., str]


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON, offset=60)


@pytest.fixture(scope="session")
def _two_concepts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = Home(tmp_path_factory.mktemp("concepts") / "home")
    with open_database(home, now=NOON) as database:
        _add_concepts(database)
    return home.root


def _add_concepts(database: Database) -> None:
    with database.write() as connection:
        connection.execute(
            insert(ConceptRow),
            [
                {"id": 1, "slug": "first", "title": "First", "position": 5},
                {"id": 2, "slug": "second", "title": "Second", "position": 1},
            ],
        )
        connection.execute(insert(ConceptRequiresRow).values(concept_id=2, requires_id=1))


@pytest.fixture
def profile(
    tmp_path: Path, clock: FixedClock, either: ServerAddress | None, _two_concepts: Path
) -> Iterator[Profile]:
    """An open home with two concepts and no items; `second` requires `first`.

    A file is a copy of one that was made once.
    """
    home = Home(tmp_path / "home", either)
    if either is None:
        shutil.copytree(_two_concepts, home.root)
    with open_database(home, now=NOON) as database:
        if either is not None:
            _add_concepts(database)
        yield Profile(home, database, clock)


@pytest.fixture
def add(profile: Profile) -> AddItem:
    """Adds an item and returns its guid."""
    made = 0

    def add_item(
        concept: str = "first",
        *,
        kind: str = "card",
        siblings: str | None = None,
        front: str = "Why?",
        back: str = "Because.",
        card_kind: str = "basic",
        answer: str | None = None,
    ) -> str:
        nonlocal made
        made += 1
        guid = f"t:{'drill/' if kind == 'drill' else ''}{made}"
        with profile.database.write() as connection:
            concept_id = connection.execute(
                select(ConceptRow.id).where(ConceptRow.slug == concept)
            ).scalar_one()
            item_id = made
            connection.execute(
                insert(ItemRow).values(
                    id=item_id,
                    guid=guid,
                    kind=kind,
                    concept_id=concept_id,
                    position=made,
                    created_at=NOON,
                )
            )
            if kind == "card":
                connection.execute(
                    insert(CardRow).values(
                        item_id=item_id,
                        kind=card_kind,
                        front=front,
                        back=back,
                        answer=answer,
                        digest="",
                        sibling_group=siblings,
                    )
                )
        return guid

    return add_item
