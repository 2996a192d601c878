"""Notes with what they are about, earlier wordings, own cards, and stored values."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import insert, select, update

from studyattn.store.database import Database
from studyattn.store.models import CardRow, ConceptRow, ItemRow, SourceRow
from studyattn.store.queries import notes, settings, sources
from studyattn.store.queries.notes import EarlierWording, NoteTies
from studyattn.store.snapshot import CardRecord
from tests.store.conftest import NOW, add_items

LATER = NOW + timedelta(hours=1)


def add_source(database: Database, *guids: str) -> None:
    with database.write() as connection:
        for number, guid in enumerate(guids):
            connection.execute(
                insert(SourceRow).values(
                    guid=guid,
                    kind="note",
                    title="Same title",
                    path=f"{guid}.md",
                    text=f"text of {guid}",
                    digest="",
                    imported_at=NOW + timedelta(minutes=number),
                )
            )


def test_a_note_has_the_names_of_what_it_is_about(any_database: Database) -> None:
    add_source(any_database, "s")
    with any_database.write() as connection:
        add_items(connection, 1)
        number = notes.insert_note(
            connection,
            guid="n",
            title="T",
            body="see [[x]]",
            ties=NoteTies(1, 1, 1),
            created_at=NOW,
            updated_at=NOW,
        )
        note = notes.read_note(connection, number)
        assert note is not None
        assert (note.concept, note.source, note.item) == ("masking", "Same title", "card-0")
        assert notes.subjects_of_notes(connection, [number]) == {number: "Masking"}
        notes.tie_note(connection, number, NoteTies(None, 1, None), NOW)
        assert notes.subjects_of_notes(connection, [number]) == {number: "Same title"}
        assert notes.list_notes(connection, 1, None) == []
        notes.update_note(connection, number, "U", "no link", LATER)
        changed = notes.read_note(connection, number)
        assert changed is not None
        assert (changed.title, changed.created_at, changed.updated_at) == ("U", NOW, LATER)
        assert notes.notes_with_links(connection) == []
        notes.delete_note(connection, number, LATER)
        assert notes.read_note(connection, number) is None
        assert notes.count_notes(connection) == 0


def test_a_note_can_come_back_under_its_old_number(any_database: Database) -> None:
    ties = NoteTies(None, None, None)
    times = {"created_at": NOW, "updated_at": NOW}
    with any_database.write() as connection:
        made = notes.insert_note(
            connection, guid="n", title="", body="b [[x]]", ties=ties, number=7, **times
        )
        assert made == 7
        assert [each.id for each in notes.notes_with_links(connection)] == [7]


def test_earlier_wordings_are_the_latest_first(any_database: Database) -> None:
    with any_database.write() as connection:
        notes.keep_wording(connection, "a", None, "first", "")
        notes.keep_wording(connection, "a", LATER, "third", "")
        notes.keep_wording(connection, "a", NOW, "second", "")
        notes.keep_wording(connection, "b", NOW, "other", "")
        found = notes.earlier_wordings(connection, "a")
    assert [each.title for each in found] == ["third", "second", "first"]
    assert found[-1] == EarlierWording(None, "first", "")


def test_own_cards_come_behind_all_others_as_siblings(any_database: Database) -> None:
    with any_database.write() as connection:
        add_items(connection, 1)
        connection.execute(update(ItemRow).values(position=9))
        cards = {
            guid: CardRecord(
                kind="cloze",
                front="a ==b== c ==d==",
                back="",
                answer=None,
                extra={"group": group},
                digest="digest",
                edited_at=NOW,
                sibling_group="own:1",
            )
            for group, guid in enumerate(("own:1", "own:1:2"), start=1)
        }
        notes.insert_own_cards(connection, cards, concept_id=1, source_id=None, at=NOW)
        rows = connection.execute(
            select(ItemRow.guid, ItemRow.position, CardRow.sibling_group, CardRow.extra)
            .join(CardRow, CardRow.item_id == ItemRow.id)
            .order_by(ItemRow.id)
        ).all()
        assert [tuple(row) for row in rows] == [
            ("own:1", 10, "own:1", {"group": 1}),
            ("own:1:2", 11, "own:1", {"group": 2}),
        ]
        assert notes.item_number(connection, "own:1:2") == 3
        assert notes.item_number(connection, "own:2") is None


def test_a_card_counts_with_the_concept_that_its_own_is_joined_into(
    any_database: Database,
) -> None:
    with any_database.write() as connection:
        add_items(connection, 1)
        connection.execute(insert(ConceptRow).values(id=2, slug="whole", title="Whole"))
        assert notes.concepts_of_cards(connection, ["card-0"]) == {"card-0": "Masking"}
        connection.execute(update(ConceptRow).where(ConceptRow.id == 1).values(joined_into_id=2))
        assert notes.concepts_of_cards(connection, ["card-0"]) == {"card-0": "Whole"}
        assert notes.concepts_of_cards(connection, []) == {}


def test_sources_are_found_by_guid_before_title(any_database: Database) -> None:
    with any_database.read() as connection:
        assert not sources.has_sources(connection)
    add_source(any_database, "s1", "s2")
    with any_database.read() as connection:
        assert [each.guid for each in sources.sources_named(connection, "s1")] == ["s1"]
        assert len(sources.sources_named(connection, "Same title")) == 2
        assert sources.sources_named(connection, "none") == []
        assert [each.guid for each in sources.all_sources(connection)] == ["s2", "s1"]
        text = sources.source_text(connection, "s1")
        assert text is not None
        assert text.text == "text of s1"
        assert sources.source_titles(connection) == {1: "Same title", 2: "Same title"}
        assert sources.has_sources(connection)


def test_a_value_is_stored_replaced_and_forgotten(any_database: Database) -> None:
    with any_database.write() as connection:
        assert settings.read_value(connection, "key") is None
        settings.put_value(connection, "key", {"a": [1]})
        settings.put_value(connection, "other", "text")
        settings.put_value(connection, "key", 2)
        assert settings.read_value(connection, "key") == 2
        assert settings.stored_values(connection) == {"key": 2, "other": "text"}
        settings.remove_value(connection, "key")
        assert settings.stored_values(connection) == {"other": "text"}
