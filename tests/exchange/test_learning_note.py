"""The learning note: read back it gives what it was written from, whatever that was."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from studyattn.errors import DocumentError, NotFoundError
from studyattn.exchange.documents.importing import read_documents
from studyattn.exchange.format import Selection
from studyattn.exchange.learning_note.content import learning_note
from studyattn.exchange.learning_note.folder import write_folder
from studyattn.exchange.learning_note.reader import read_note
from studyattn.exchange.learning_note.writer import write_note
from studyattn.exchange.merge.merge_into import merge_into
from studyattn.exchange.recognition import INDEX, NOTE, kind_of_text
from studyattn.store.database import Database
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.store.snapshot import (
    CardRecord,
    ConceptRecord,
    ItemRecord,
    NoteRecord,
    Snapshot,
    SourceRecord,
)
from studyattn.store.vocabulary import State
from studyattn.study.review.rebuild import refold
from tests.exchange.generated import snapshot
from tests.exchange.homes import Homes

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def held(database: Database) -> Snapshot:
    with database.read() as connection:
        return load_snapshot(connection)


def exported(database: Database) -> str:
    return write_note(learning_note(held(database)))


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(snapshot())
def test_a_note_read_into_an_empty_database_gives_the_same(homes: Homes, before: Snapshot) -> None:
    with homes.new() as first, homes.new() as second:
        merge_into(first, before, refold)
        note = exported(first)
        merge_into(second, read_note(note, "note.md", NOW), refold)
        assert exported(second) == note
        here, there = held(first), held(second)
        shown = learning_note(here)
        shown_here, shown_there = concepts(here), concepts(there)
        assert list(map(concept, shown_here)) == list(map(concept, shown_there))
        cards = {each.guid for topic in shown.topics for q in topic.questions for each in q.items}
        assert {e.guid: card(e) for e in here.items if e.guid in cards} == {
            e.guid: card(e) for e in there.items if e.card
        }
        assert here.notes == there.notes
        # Reading it again, into either, changes nothing.
        for database in (first, second):
            assert not merge_into(database, read_note(note, "note.md", NOW), refold).added["items"]
            assert exported(database) == note


def concepts(held: Snapshot) -> list[ConceptRecord]:
    note = learning_note(held)
    return [idea.concept for idea in (*note.known, *note.known_unknown, *note.unseen)]


def concept(concept: ConceptRecord) -> ConceptRecord:
    """Without what a pack says of its own concept."""
    if concept.pack is None:
        return concept
    return replace(concept, body="", requires=())


def card(item: ItemRecord) -> ItemRecord:
    """Without what is not of the card: when the pack came, and until when it rests."""
    made = item.created_at if item.pack is None else NOW
    return replace(item, created_at=made, buried_until=None)


def small() -> Snapshot:
    """One idea of each state, and a note on a card."""
    states: dict[str, State] = {"softmax": "known", "masking": "known-unknown", "flash": "unseen"}
    concepts = tuple(
        ConceptRecord(slug, slug.title(), state, "", None, None, None, place, False, False, ())
        for place, (slug, state) in enumerate(states.items())
    )
    card = CardRecord(
        "basic", "Why $-\\infty$?", "Because $e^{-\\infty} = 0$.", None, {}, "", None, None
    )
    item = ItemRecord("s:1", "card", "masking", None, None, 1, NOW, False, False, False, None, card)
    note = NoteRecord("n", "Mine", "Think of *zero*.", None, None, "s:1", NOW, NOW)
    return Snapshot(concepts=concepts, items=(item,), notes=(note,))


def test_the_note_is_a_document_that_people_can_read() -> None:
    note = write_note(learning_note(small()))
    headings = [line for line in note.split("\n") if line.startswith("#")]
    assert headings == [
        "# Learning note",
        "## Known",
        "### Softmax",
        "## Known unknown",
        "### Masking",
        "## Questions and answers",
        "### Masking",
        "#### Why $-\\infty$?",
        "##### Mine",
        "## Next steps",
        "### Flash",
    ]
    assert "The question behind it: Why $-\\infty$?" in note
    assert "1 idea known, 1 known unknown, 1 question with answers, 0 drills passed." in note
    assert "as of 21 November 2026" in note


def test_behind_a_joined_concept_is_its_own_question() -> None:
    held = small()
    _, _, flash = held.concepts
    own = replace(flash, slug="own", title="My own", state="known-unknown", joined_into="masking")
    (item,) = held.items
    assert item.card is not None
    asked = replace(item, guid="s:2", concept="own", card=replace(item.card, front="And mine?"))
    note = write_note(
        learning_note(replace(held, concepts=(*held.concepts, own), items=(item, asked)))
    )
    behind = [line for line in note.split("\n") if line.startswith("The question behind it")]
    assert behind == [
        "The question behind it: Why $-\\infty$?",
        "The question behind it: And mine?",
    ]


def test_what_was_changed_by_hand_in_the_note_counts_as_reworded(homes: Homes) -> None:
    later = NOW + timedelta(days=1)
    with homes.new() as database:
        merge_into(database, small(), refold)
        note = exported(database).replace("Think of *zero*.", "Think of *nothing*.")
        note = note.replace("Because $e", "Since $e")
        taken = merge_into(database, read_note(note, "note.md", later), refold)
        now = held(database)
    assert (taken.changed["items"], taken.changed["notes"]) == (1, 1)
    (item,), (mine,) = now.items, now.notes
    assert item.card is not None
    assert (item.card.back, item.card.edited_at) == ("Since $e^{-\\infty} = 0$.", later)
    assert (mine.body, mine.updated_at) == ("Think of *nothing*.", later)
    assert [each.body for each in now.wordings] == ["Think of *zero*."]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("format: 1", "format: 2", "note.md:1: it is a learning note of format 2"),
        (
            '"state":"known"',
            '"state":"forgotten"',
            "'forgotten' is not one of the known values at",
        ),
        ('{"slug"', "{slug", "this learning note marker cannot be read"),
        ("<!-- /studyattn -->", "", "the text after this mark has no end mark"),
        ('"concept":"masking"', '"concept":7', "expected `str`, got `int` at `$.concept`"),
    ],
)
def test_a_note_that_was_broken_is_refused_in_one_line(old: str, new: str, problem: str) -> None:
    note = write_note(learning_note(small()))
    with pytest.raises(DocumentError) as caught:
        read_note(note.replace(old, new), "note.md", NOW)
    assert problem in str(caught.value)


def test_a_part_of_it() -> None:
    part = learning_note(small(), Selection(concept="masking"))
    assert [idea.concept.slug for idea in part.known_unknown] == ["masking"]
    assert not part.known
    assert len(part.topics[0].questions) == 1
    since = learning_note(small(), Selection(since=NOW.date() + timedelta(days=1)))
    assert (since.topics, since.known) == ((), ())
    with pytest.raises(NotFoundError, match="there is no concept 'x'"):
        learning_note(small(), Selection(concept="x"))


def test_the_folder_for_obsidian_is_linked() -> None:
    files = write_folder(small())
    assert set(files) == {INDEX, "softmax.md", "masking.md", "flash.md"}
    assert "- [[masking|Masking]]: Why $-\\infty$?" in files[INDEX]
    page = files["masking.md"]
    assert page.startswith("---\ntitle: Masking\nstate: known-unknown\n")
    assert "## Why $-\\infty$?\n\nBecause $e^{-\\infty} = 0$." in page
    assert "### Mine\n\nThink of *zero*." in page


def test_a_note_swallows_nothing_in_the_folder_either() -> None:
    held = small()
    (note,) = held.notes
    open_fence = replace(note, body="# Mine\n\n```python\nnever closed")
    page = write_folder(replace(held, notes=(open_fence,)))["masking.md"]
    assert "````\n# Mine\n\n```python\nnever closed\n````" in page
    deep = replace(note, body="# Mine\n\n## Part")
    page = write_folder(replace(held, notes=(deep,)))["masking.md"]
    assert "### Mine\n\n#### Mine\n\n##### Part" in page


def test_what_was_exported_does_not_come_in_as_new(homes: Homes, tmp_path: Path) -> None:
    for name, text in write_folder(small()).items():
        (tmp_path / name).write_text(text)
    (tmp_path / "note.md").write_text(write_note(learning_note(small())))
    (tmp_path / "own.md").write_text("# My own\n\nText.\n")
    with homes.new() as database:
        plan = read_documents(database, [tmp_path]).plan
        assert [source.title for source in plan.sources] == ["My own"]
        assert len(plan.problems) == 5
        with pytest.raises(DocumentError, match="exported by studyattn"):
            read_documents(database, [tmp_path / INDEX])


def test_no_concept_names_a_file_outside_the_folder() -> None:
    held = small()
    stray = replace(held.concepts[0], slug="../../stray")
    names = set(write_folder(replace(held, concepts=(*held.concepts, stray))))
    assert not any("/" in name for name in names)


def test_only_a_learning_note_is_taken_for_one() -> None:
    assert kind_of_text(write_note(learning_note(Snapshot()))) == NOTE
    assert not kind_of_text("# A talk\n\nstudyattn: learning-note\n")
    assert not kind_of_text("---\ntitle: A talk\n---\n\nstudyattn: learning-note\n")


FRONT = (
    "Find the bug: a softmax\n\n```python\ndef softmax(x):\n    return x\n```\n\n```text\n3.0\n```"
)


def with_a_bug() -> Snapshot:
    """`small`, and a question with code below its first line."""
    bug = CardRecord("bug", FRONT, "It is none.", None, {"misconceptions": ["x"]}, "", None, None)
    made = (NOW, False, False, False, None)
    item = ItemRecord("p:bug/x", "card", "masking", None, "p", 2, *made, bug)
    before = small()
    return replace(before, items=(*before.items, item))


def test_of_a_question_with_code_the_first_line_is_the_heading(homes: Homes) -> None:
    note = write_note(learning_note(with_a_bug()))
    assert "#### Find the bug: a softmax\n\n```python\ndef softmax(x):\n" in note
    (read,) = [each for each in read_note(note, "note.md", NOW).items if each.pack == "p"]
    assert read.card is not None
    assert (read.card.kind, read.card.front, read.card.back) == ("bug", FRONT, "It is none.")
    edited = read_note(note.replace("It is none.", "No shares."), "note.md", NOW)
    (read,) = [each for each in edited.items if each.pack == "p"]
    assert read.card is not None
    assert (read.card.front, read.card.back, read.card.edited_at) == (FRONT, "No shares.", NOW)


def test_the_folder_has_links_answers_and_gaps_as_obsidian_reads_them() -> None:
    held = small()
    card = CardRecord("cloze", "The ==2|gap== and ==this==", "See.", "7|seven", {}, "", None, None)
    item = replace(held.items[0], guid="s:2", card=card)
    body = "See [[Softmax]], [[masking|that]] and [[nowhere]].\n\n```\n[[softmax]]\n```"
    places = (("masking", None), (None, None), (None, "src"))
    notes = tuple(
        NoteRecord(f"n{number}", "Mine", body, *place, None, NOW, NOW)
        for number, place in enumerate(places)
    )
    source = SourceRecord("src", "qa", "A talk", "/home/me/talk.md", "", "", {}, NOW)
    files = write_folder(
        replace(held, items=(*held.items, item), notes=notes, sources=(source,)).ordered()
    )
    linked = "See [[softmax|Softmax]], [[masking|that]] and [[nowhere]].\n\n```\n[[softmax]]\n```"
    assert linked in files["masking.md"]
    assert files[INDEX].count(linked) == 2
    assert "## The ==gap== and ==this==\n" in files["masking.md"]
    assert "Answer: `7|seven`" in files["masking.md"]
    assert "### A talk\n" in files[INDEX]
    assert "/home/me" not in "".join(files.values())
