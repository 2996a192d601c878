"""Cards that a learner made of a passage leave and come back, and are no document's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from studyattn.exchange.documents.importing import apply_import, read_documents
from studyattn.exchange.json_lines import read_lines, write_lines
from studyattn.exchange.learning_note.content import learning_note
from studyattn.exchange.learning_note.reader import read_note
from studyattn.exchange.learning_note.writer import write_note
from studyattn.exchange.merge.merge_into import merge_into
from studyattn.home import Home
from studyattn.store.database import Database, open_database
from studyattn.store.models import ConceptRow, SourceRow
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.study.clock import FixedClock
from studyattn.study.notes.own_cards import SelectedPassage, make_card
from studyattn.study.profile import Profile
from studyattn.study.review.rebuild import refold
from tests.exchange.homes import NOW

QA = "# A talk\n\n## Questions\n\n### 1. Low rank - why?\n\nBecause.\n"


@pytest.fixture
def profile(tmp_path: Path) -> Iterator[Profile]:
    """With one document, and two cards made of it: a basic one and a cloze of two gaps."""
    home, clock = Home(tmp_path / "home"), FixedClock(NOW)
    with open_database(home, now=NOW) as database:
        document = tmp_path / "qa.md"
        document.write_text(QA, encoding="utf-8")
        apply_import(database, read_documents(database, [document]).plan, NOW, ())
        profile = Profile(home, database, clock)
        with database.read() as connection:
            concept = connection.execute(select(ConceptRow.slug)).scalars().first() or ""
            source = connection.execute(select(SourceRow.guid)).scalar_one()
        passage = SelectedPassage(source=source, line=5)
        make_card(profile, "Why low rank?", "Because.", concept=concept, passage=passage)
        make_card(profile, "==a== or ==2|b==", "", concept=concept, passage=passage)
        yield profile


def exported(database: Database) -> str:
    with database.read() as connection:
        return write_note(learning_note(load_snapshot(connection)))


def test_a_document_does_not_miss_them(profile: Profile, tmp_path: Path) -> None:
    plan = read_documents(profile.database, [tmp_path / "qa.md"]).plan
    assert plan.changes_nothing
    (tmp_path / "qa.md").write_text(QA.replace("Because", "Since"), encoding="utf-8")
    plan = read_documents(profile.database, [tmp_path / "qa.md"]).plan
    assert [card.guid.startswith("own:") for source in plan.sources for card in source.cards] == [
        False
    ]


def test_they_leave_and_come_back(profile: Profile, tmp_path: Path) -> None:
    note = exported(profile.database)
    with profile.database.read() as connection:
        held = load_snapshot(connection)
    lines = [line.encode() for line in write_lines(held)]
    for name, arriving in (
        ("note", read_note(note, "note.md", NOW)),
        ("lines", read_lines(lines, "all.jsonl")),
    ):
        with open_database(Home(tmp_path / name), now=NOW) as other:
            merge_into(other, arriving, refold)
            assert exported(other) == note
