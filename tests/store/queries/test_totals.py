"""Totals of items, concepts, answers and time."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from sqlalchemy import insert, update

from studyattn.store.database import Database
from studyattn.store.models import ConceptRow, ItemRow, ReviewRow
from studyattn.store.queries import days
from tests.store.conftest import NOW, add_items

RULE = days.SecondsRule(longest=300.0, drill_mark=":drill/")


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
        counted = days.item_totals(connection, leech_lapses=8, bounds=(1, 3, 7))
        assert counted == (3, {"new": 2, "review": 1}, {2: 1}, 1, 1)
        counted = days.item_totals(connection, leech_lapses=9, bounds=(1, 3))
        assert (counted.by_stability, counted.leeches) == ({2: 1}, 0)
        assert days.concepts_by_state(connection) == {"unseen": 1}


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
        yesterday, before, first = days.day_totals(connection, RULE)
    assert (yesterday.easy, yesterday.reviews, yesterday.seconds) == (1, 1, 1001.0)
    assert (first.good, first.reviews, first.asked) == (1, 1, 0)
    # The first answer of a day to an item that was seen on an earlier one: forgotten.
    assert (before.again, before.good, before.asked, before.recalled) == (1, 1, 1, 0)
    assert before.seconds == 301.0


def test_totals_are_the_same_however_often_they_were_kept(any_database: Database) -> None:
    draw = Random(3)
    uuids: list[str] = []
    for step in range(40):
        with any_database.write() as connection:
            for _ in range(draw.randrange(4)):
                withdraws = draw.choice(uuids) if uuids and draw.random() < 0.4 else None
                at = NOW - timedelta(days=draw.randrange(6))
                uuids.append(f"row {len(uuids):03}")
                connection.execute(
                    insert(ReviewRow).values(
                        uuid=uuids[-1],
                        item_guid=f"card-{draw.randrange(2)}",
                        rating=None if withdraws else draw.randint(1, 4),
                        withdraws=withdraws,
                        at=at,
                        utc_offset=0,
                        learner_day=at.date(),
                        seconds=1.0,
                        origin="learner",
                    )
                )
            kept = list(days.day_totals(connection, RULE))
            if step % 3 == 0:
                days.keep_days(connection, RULE)
                assert list(days.day_totals(connection, RULE)) == kept
                assert days.is_kept_to(connection, NOW.date() + timedelta(days=1))
            if step % 10 == 9:
                days.forget_days(connection)
                assert list(days.day_totals(connection, RULE)) == kept


def test_nothing_was_answered_yet(any_database: Database) -> None:
    with any_database.read() as connection:
        assert list(days.day_totals(connection, RULE)) == []
        assert days.is_kept_to(connection, NOW.date())
