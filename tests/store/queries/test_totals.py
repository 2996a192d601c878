"""Totals of items, concepts, answers and time."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import insert, update

from studyattn.store.database import Database
from studyattn.store.models import ConceptRow, ItemRow, ReviewRow
from studyattn.store.queries import totals
from tests.store.conftest import NOW, add_items


def test_retired_items_and_joined_concepts_do_not_count(any_database: Database) -> None:
    with any_database.write() as connection:
        add_items(connection, 4)
        connection.execute(
            insert(ConceptRow).values(id=2, slug="same", title="Same", joined_into_id=1)
        )
        changes: list[dict[str, object]] = [
            {"phase": "review", "stability": 3.0, "lapses": 8},
            {"suspended": True},
            {"retired": True, "phase": "review", "stability": 9.0, "lapses": 9, "suspended": True},
        ]
        for number, values in enumerate(changes, start=1):
            connection.execute(update(ItemRow).where(ItemRow.id == number).values(values))
        assert totals.items_by_phase(connection) == {"new": 2, "review": 1}
        assert totals.count_suspended(connection) == 1
        assert totals.count_lapsed(connection, 8) == 1
        assert totals.count_lapsed(connection, 9) == 0
        assert totals.stabilities(connection) == [3.0]
        assert totals.concepts_by_state(connection) == {"unseen": 1}


def test_answers_in_effect_are_counted_and_long_ones_to_cards_cut(any_database: Database) -> None:
    answers = [  # uuid, item, rating, withdraws, days ago, seconds
        ("1", "card-0", 3, None, 9, 10.0),
        ("2", "card-0", 1, None, 2, 1000.0),
        ("3", "card-0", 3, None, 2, 1.0),
        ("4", "p:drill/x", 4, None, 1, 1000.0),
        ("5", "card-1", 2, None, 1, 1.0),
        ("6", "card-1", None, "5", 1, 0.0),
    ]
    with any_database.write() as connection:
        for uuid, guid, rating, withdraws, ago, seconds in answers:
            at = NOW - timedelta(days=ago)
            connection.execute(
                insert(ReviewRow).values(
                    uuid=uuid,
                    item_guid=guid,
                    rating=rating,
                    withdraws=withdraws,
                    at=at,
                    utc_offset=0,
                    learner_day=at.date(),
                    seconds=seconds,
                    origin="learner",
                )
            )
        assert totals.ratings_in_effect(connection) == {1: 1, 3: 2, 4: 1}
        # The first answer of a day to an item that was seen on an earlier one: forgotten.
        assert totals.retention_since(connection, NOW.date() - timedelta(days=30)) == (0, 1)
        assert totals.retention_since(connection, NOW.date()) == (0, 0)
        spent = totals.seconds_spent(connection, longest=300.0, drill_mark=":drill/")
        assert spent == 10.0 + 300.0 + 1.0 + 1000.0 + 1.0


def test_nothing_was_answered_yet(any_database: Database) -> None:
    with any_database.read() as connection:
        assert totals.seconds_spent(connection, longest=300.0, drill_mark=":drill/") == 0.0
        assert totals.ratings_in_effect(connection) == {}
