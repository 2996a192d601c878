"""How many statements a screen asks the database for: as many for two concepts as for fifty."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from studyattn.memory import Rating
from studyattn.store.models import ConceptRow, ItemRow
from studyattn.store.sql import driver_of
from studyattn.study.clock import FixedClock
from studyattn.study.concepts import board, concept_page, suggestions
from studyattn.study.profile import Profile
from studyattn.study.review import batch
from studyattn.study.statistics.totals import statistics
from tests.study.concepts.test_board import attempt
from tests.study.conftest import AddItem

SCREENS: dict[str, Callable[[Profile], object]] = {
    "suggestions": suggestions.suggestions,
    "board": board.list_concepts,
    "concept page": lambda profile: concept_page.show_concept(profile, "first"),
    "statistics": statistics,
}


def statements(profile: Profile, work: Callable[[Profile], object]) -> list[str]:
    """The statements that SQLite is asked for."""
    asked: list[str] = []

    with profile.database.read() as connection:
        beneath = driver_of(connection).beneath  # it is taken again for what follows
    beneath.set_trace_callback(asked.append)
    work(profile)
    beneath.set_trace_callback(None)
    return asked


@pytest.mark.parametrize("name", SCREENS)
def test_statements_do_not_grow_with_concepts(
    profile: Profile, add: AddItem, clock: FixedClock, name: str
) -> None:
    if profile.home.server is not None:
        pytest.skip("the statements of a file are counted")

    def add_concepts(numbers: range) -> None:
        with profile.database.write() as connection:
            connection.execute(
                insert(ConceptRow), [{"id": n, "slug": f"c{n}", "title": f"C {n}"} for n in numbers]
            )
        for number in numbers:
            slug = f"c{number}"
            card, drill = add(slug), add(slug, kind="drill")
            batch.answer(profile, card, Rating.GOOD)
            board.set_state(profile, slug, "known")
            clock.advance(timedelta(minutes=1))
            attempt(profile, drill, "wrong")
            batch.answer(profile, card, Rating.AGAIN)
        with profile.database.write() as connection:
            connection.execute(update(ItemRow).values(stability=30.0))

    add_concepts(range(10, 12))
    few = statements(profile, SCREENS[name])
    add_concepts(range(12, 20))
    many = statements(profile, SCREENS[name])
    assert len(few) > 1
    assert len(many) == len(few)
