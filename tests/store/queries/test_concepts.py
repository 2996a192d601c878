"""Concepts as they are read, with their items."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from studyattn.store.database import Connection, Database
from studyattn.store.models import ConceptRow, ItemRow
from studyattn.store.queries.concept_changes import join, record_change
from studyattn.store.queries.concepts import (
    JudgedItem,
    all_concepts,
    card_tallies,
    concept_body,
    concept_of_pack,
    concepts_of_packs,
    concepts_to_judge,
    joined_concepts,
    judged_items,
    pack_slugs,
)
from studyattn.store.queries.item_search import items_of_concept
from tests.store.conftest import NOW, add_items


def add_concepts(connection: Connection) -> None:
    """`masking` (1) of no pack with three cards, and two of a pack, the last joined into 1."""
    add_items(connection, 3)
    connection.execute(
        insert(ConceptRow),
        [
            {"id": 2, "slug": "softmax", "title": "Softmax", "pack": "p"},
            {"id": 3, "slug": "p-masking", "title": "Masking, again", "pack": "p"},
        ],
    )
    join(connection, 3, 1, "learner", NOW)


def judged_ones(connection: Connection, *, held: float) -> set[int]:
    return {each.id for some in concepts_to_judge(connection, held=held) for each in some}


def test_a_packs_slug_leads_to_the_concept_that_it_is_joined_into(any_database: Database) -> None:
    with any_database.write() as connection:
        add_concepts(connection)
        found = concept_of_pack(connection, "p", "masking")
        assert found is not None
        assert found.slug == "masking"
        assert pack_slugs(connection, (1, 2, 3)) == {1: {"masking", "p-masking"}, 2: {"softmax"}}
        assert concept_of_pack(connection, "p", "gone") is None
        assert concepts_of_packs(connection, {"masking", "gone"}) == {1}
        assert concepts_of_packs(connection, {"softmax", "p-masking"}) == {1, 2}
        assert concepts_of_packs(connection, {"asking", "max"}) == set()
        assert [each.slug for each in joined_concepts(connection, 1)] == ["p-masking"]
        assert [each.slug for each in all_concepts(connection)] == [
            "softmax",
            "p-masking",
            "masking",
        ]


def test_cards_are_tallied_by_their_own_concept(any_database: Database) -> None:
    with any_database.write() as connection:
        add_concepts(connection)
        connection.execute(update(ItemRow).where(ItemRow.id == 2).values(concept_id=3))
        remembered = {"phase": "review", "stability": 21.0, "due": NOW}
        connection.execute(update(ItemRow).where(ItemRow.id < 3).values(remembered))
        connection.execute(update(ItemRow).where(ItemRow.id == 3).values(suspended=True))
        tallies = card_tallies(connection, NOW, held=21, concepts=None)
        assert {each.concept_id: each[1:] for each in tallies} == {1: (2, 1, 1, 0), 3: (1, 1, 1, 0)}
        (some,) = card_tallies(connection, NOW, held=22, concepts=[3])
        assert some == (3, 1, 0, 1, 0)
        assert [each.guid for each in items_of_concept(connection, 1)] == [
            "card-0",
            "card-1",
            "card-2",
        ]


def test_a_concept_is_judged_without_a_weak_card_or_when_it_is_known_and_was_forgotten(
    any_database: Database,
) -> None:
    with any_database.write() as connection:
        add_concepts(connection)
        assert judged_ones(connection, held=21) == set()  # its cards are new
        record_change(connection, 1, "known", "", "learner", NOW)
        assert judged_ones(connection, held=21) == set()
        for hours, judged in ((-1, set[int]()), (1, {1})):
            at = NOW + timedelta(hours=hours)
            connection.execute(update(ItemRow).where(ItemRow.id == 1).values(forgotten_at=at))
            assert judged_ones(connection, held=21) == judged
        record_change(connection, 1, "unseen", "", "learner", NOW)
        connection.execute(update(ItemRow).values(stability=21.0))
        assert judged_ones(connection, held=21) == {1}
        assert judged_ones(connection, held=22) == set()


def test_what_is_judged_comes_along_the_path_and_is_read_no_further_than_one_goes(
    any_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.store.queries.concepts._AT_ONCE", 1)
    with any_database.write() as connection:
        add_concepts(connection)
        connection.execute(update(ItemRow).values(stability=21.0))
        connection.execute(update(ItemRow).where(ItemRow.id == 1).values(concept_id=2))
        connection.execute(update(ItemRow).where(ItemRow.id == 2).values(concept_id=3))
        judged = concepts_to_judge(connection, held=21)
        assert [each.slug for each in next(judged)] == ["softmax"]
        connection.execute(update(ItemRow).where(ItemRow.id == 2).values(stability=20.0))
        assert list(judged) == []  # the card of what is joined into `masking` is weak now
        alone, besides = concepts_to_judge(connection, held=21, besides={1})
        assert [each.slug for each in (*alone, *besides)] == ["softmax", "masking"]


def test_the_text_of_a_concept_is_read_by_itself(any_database: Database) -> None:
    with any_database.write() as connection:
        add_concepts(connection)
        connection.execute(update(ConceptRow).where(ConceptRow.id == 2).values(body="Sums to 1."))
        assert concept_body(connection, 2) == "Sums to 1."


def test_a_concept_is_judged_by_its_items_and_by_those_of_what_is_joined_into_it(
    any_database: Database,
) -> None:
    with any_database.write() as connection:
        add_concepts(connection)
        connection.execute(update(ItemRow).where(ItemRow.id == 1).values(concept_id=3))
        forgotten = {"stability": 3.0, "forgotten_at": NOW}
        connection.execute(update(ItemRow).where(ItemRow.id == 1).values(forgotten))
        connection.execute(update(ItemRow).where(ItemRow.id == 3).values(suspended=True))
        items = judged_items(connection, (1, 2, 3))
    own = JudgedItem("card-0", "card", 3.0, NOW)
    assert items == {1: [own, JudgedItem("card-1", "card", None, None)], 3: [own]}
