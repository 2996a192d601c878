"""Cards that a learner made of a passage leave and come back, and are no document's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from studyattn.exchange.collecting import collect
from studyattn.exchange.documents import apply_import, plan_import
from studyattn.exchange.jsonlines import read_lines, write_lines
from studyattn.exchange.learningnote.content import learning_note
from studyattn.exchange.learningnote.reading import read_note
from studyattn.exchange.learningnote.writing import write_note
from studyattn.exchange.merging import take_in
from studyattn.home import Home
from studyattn.store.database import Database, open_database
from studyattn.store.models import Concept, Source
from studyattn.study.clock import FixedClock
from studyattn.study.learner import Learner
from studyattn.study.owncards import Passage, make_card
from studyattn.study.rebuild import refold
from tests.exchange.homes import NOW

QA = "# A talk\n\n## Questions\n\n### 1. Low rank - why?\n\nBecause.\n"


@pytest.fixture
def learner(tmp_path: Path) -> Iterator[Learner]:
    """With one document, and two cards made of it: a basic one and a cloze of two gaps."""
    home, clock = Home(tmp_path / "home"), FixedClock(NOW)
    with open_database(home, now=NOW) as database:
        document = tmp_path / "qa.md"
        document.write_text(QA, encoding="utf-8")
        apply_import(database, plan_import(database, [document]), NOW, ())
        learner = Learner(home, database, clock)
        with database.read() as connection:
            concept = connection.execute(select(Concept.slug)).scalars().first() or ""
            source = connection.execute(select(Source.guid)).scalar_one()
        passage = Passage(source=source, line=5)
        make_card(learner, "Why low rank?", "Because.", concept=concept, passage=passage)
        make_card(learner, "==a== or ==2|b==", "", concept=concept, passage=passage)
        yield learner


def exported(database: Database) -> str:
    with database.read() as connection:
        return write_note(learning_note(collect(connection)))


def test_a_document_does_not_miss_them(learner: Learner, tmp_path: Path) -> None:
    plan = plan_import(learner.database, [tmp_path / "qa.md"])
    assert plan.changes_nothing
    (tmp_path / "qa.md").write_text(QA.replace("Because", "Since"), encoding="utf-8")
    plan = plan_import(learner.database, [tmp_path / "qa.md"])
    assert [card.guid.startswith("own:") for source in plan.sources for card in source.cards] == [
        False
    ]


def test_they_leave_and_come_back(learner: Learner, tmp_path: Path) -> None:
    note = exported(learner.database)
    with learner.database.read() as connection:
        held = collect(connection)
    lines = [line.encode() for line in write_lines(held)]
    for name, arriving in (
        ("note", read_note(note, "note.md", NOW)),
        ("lines", read_lines(lines, "all.jsonl")),
    ):
        with open_database(Home(tmp_path / name), now=NOW) as other:
            take_in(other, arriving, refold)
            assert exported(other) == note
