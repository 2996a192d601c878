"""Items: the rules of who may be asked, memory columns, texts, and looking through items."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import product

import pytest
from sqlalchemy import insert, select, text, update

from studyattn.store.database import Connection, Database
from studyattn.store.models import BroughtBackRow, CardRow, ConceptRow, ItemRow, SourceRow
from studyattn.store.queries import item_search, items, rules
from studyattn.store.queries.items import CardWording, MemoryColumns
from studyattn.store.sql import driver_of
from tests.store.conftest import NOW, add_items

TODAY = date(2026, 11, 21)
LATER = datetime(2026, 11, 25, 4, 0, 0, 250, tzinfo=UTC)
HELD = MemoryColumns("review", 0, 4.25, 5.5, LATER, NOW, TODAY, 3, 1)


def add_card(connection: Connection, guid: str, **values: object) -> None:
    """Make one of the added items a card with texts."""
    texts = {"kind": "basic", "front": "Why?", "back": "Because.", "digest": "", **values}
    item_id = connection.scalar(select(ItemRow.id).where(ItemRow.guid == guid))
    connection.execute(insert(CardRow).values(item_id=item_id, **texts))


@pytest.mark.parametrize("alias", ["item", "other"])
def test_an_item_may_be_asked_if_it_is_neither_suspended_nor_retired_nor_buried(
    any_database: Database, alias: str
) -> None:
    days = (None, TODAY, TODAY + timedelta(days=1))
    cases = list(product((False, True), (False, True), days))
    with any_database.write() as connection:
        add_items(connection, len(cases))
        for number, (suspended, retired, buried) in enumerate(cases):
            connection.execute(
                update(ItemRow)
                .where(ItemRow.guid == f"card-{number}")
                .values(suspended=suspended, retired=retired, buried_until=buried)
            )

        def found(condition: str, **given: object) -> set[str]:
            statement = f"SELECT guid FROM item AS {alias} WHERE {condition}"
            return set(connection.scalars(text(statement), given))

        kept = {
            f"card-{number}": buried
            for number, (suspended, retired, buried) in enumerate(cases)
            if not suspended and not retired
        }
        assert found(rules.active(alias)) == set(kept)
        asked = found(rules.may_be_asked(alias), today=TODAY.isoformat())
        assert asked == {guid for guid, buried in kept.items() if buried in {None, TODAY}}
        assert set(connection.scalars(select(ItemRow.guid).where(text(rules.active())))) == set(
            kept
        )


def test_memory_written_over_the_driver_and_by_a_statement_reads_the_same(
    any_database: Database,
) -> None:
    with any_database.write() as connection:
        add_items(connection, 3)
        driver = driver_of(connection)
        items.save_memory(driver, "card-0", HELD)
        items.update_memory(connection, {"card-1": HELD})
        new = items.read_memory(driver, "card-2")
        assert new == MemoryColumns("new", 0, None, None, None, None, None, 0, 0)
        assert items.read_memory(driver, "card-0") == items.read_memory(driver, "card-1") == HELD
        assert items.load_memory(connection) == {"card-0": HELD, "card-1": HELD, "card-2": new}
        items.update_memory(connection, {"card-0": new})
        assert items.read_memory(driver, "card-0") == new
        assert items.read_memory(driver, "no-such") is None


def test_an_item_is_read_with_all_that_is_shown_of_it(any_database: Database) -> None:
    with any_database.write() as connection:
        add_items(connection, 2)
        connection.execute(insert(ConceptRow).values(id=7, slug="whole", title="The whole"))
        connection.execute(update(ConceptRow).where(ConceptRow.id != 7).values(joined_into_id=7))
        connection.execute(
            insert(SourceRow).values(
                id=1, guid="s", kind="qa", title="A post", path="", text="", digest="",
                front_matter={}, imported_at=NOW,
            )
        )  # fmt: skip
        add_card(connection, "card-0", answer="d_k", extra={"unit": "ms"}, kind="typed")
        tomorrow = TODAY + timedelta(days=1)
        connection.execute(
            update(ItemRow)
            .where(ItemRow.guid == "card-0")
            .values(source_id=1, marked=True, buried_until=tomorrow)
        )
        connection.execute(
            update(ItemRow).where(ItemRow.guid == "card-1").values(kind="drill", suspended=True)
        )
        items.update_memory(connection, {"card-0": HELD})
        for number, (at, taken_back) in enumerate(
            [(NOW - timedelta(days=1), None), (LATER, NOW), (LATER, None), (LATER, None)]
        ):
            connection.execute(
                insert(BroughtBackRow).values(
                    uuid=str(number), item_guid="card-0", attempt_uuid="a", misconception="m",
                    reason=f"reason {number}", at=at, learner_day=TODAY, taken_back_at=taken_back,
                )
            )  # fmt: skip
        driver = driver_of(connection)
        card = items.read_item(driver, "card-0", TODAY)
        assert card == items.ItemToShow(
            memory=HELD,
            kind="card",
            marked=True,
            tags=(),
            suspended=False,
            may_be_asked=False,
            pack=None,
            concept_slug="whole",
            concept_title="The whole",
            source_title="A post",
            card_kind="typed",
            front="Why?",
            back="Because.",
            answer="d_k",
            extra={"unit": "ms"},
            why_back="reason 2",
        )
        asked = items.read_item(driver, "card-0", tomorrow)
        assert asked is not None
        assert asked.may_be_asked
        drill = items.read_item(driver, "card-1", TODAY)
        assert drill is not None
        assert (drill.kind, drill.front, drill.extra) == ("drill", None, {})
        assert (drill.suspended, drill.may_be_asked) == (True, False)
        assert items.read_item(driver, "no-such", TODAY) is None
        assert items.concept_of_item(connection, "card-1").slug == "whole"


def test_what_a_learner_does_to_an_item_says_whether_there_is_one(any_database: Database) -> None:
    with any_database.write() as connection:
        add_items(connection, 1)
        assert items.put_field(connection, "card-0", items.ItemField.SUSPENDED, True, NOW)
        assert items.put_field(connection, "card-0", items.ItemField.MARKED, True, NOW)
        assert items.put_field(connection, "card-0", items.ItemField.BURIED, TODAY, NOW)
        row = connection.execute(
            select(ItemRow.suspended, ItemRow.marked, ItemRow.buried_until)
        ).one()
        assert tuple(row) == (True, True, TODAY)
        assert not items.put_field(connection, "no-such", items.ItemField.SUSPENDED, True, NOW)
        assert not items.put_field(connection, "no-such", items.ItemField.MARKED, True, NOW)
        assert not items.put_field(connection, "no-such", items.ItemField.BURIED, None, NOW)


def test_a_card_has_a_text_and_a_drill_has_none(any_database: Database) -> None:
    with any_database.write() as connection:
        add_items(connection, 3)
        add_card(connection, "card-0")
        add_card(connection, "card-1")
        assert items.read_card_text(connection, "card-0") == CardWording("Why?", "Because.", None)
        assert items.read_card_text(connection, "card-2") is None
        own = CardWording("How?", "So.", NOW)
        items.write_card_text(connection, "card-0", own, NOW)
        assert items.read_card_text(connection, "card-0") == own
        assert items.read_card_text(connection, "card-1") == CardWording("Why?", "Because.", None)


def test_a_card_that_is_back_is_found_until_it_is_answered(any_database: Database) -> None:
    def back(connection: Connection) -> list[str]:
        wanted = item_search.conditions(
            connection, ["is:back"], now=NOW, today=NOW.date(), leech_lapses=8
        )
        found = item_search.find_items(connection, wanted)
        return [each.guid for each in found]

    with any_database.write() as connection:
        add_items(connection, 2)
        connection.execute(
            insert(BroughtBackRow).values(
                uuid="u", item_guid="card-1", attempt_uuid="a", misconception="m", reason="r",
                at=NOW, learner_day=TODAY,
            )
        )  # fmt: skip
        assert back(connection) == ["card-1"]
        items.update_memory(connection, {"card-1": HELD})  # answered at that very moment
        assert back(connection) == []
