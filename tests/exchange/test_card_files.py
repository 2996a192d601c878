"""Files of cards: out, and in again with the same cards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from studyattn.exchange.card_files.content import FileCard
from studyattn.exchange.card_files.writers import write_hashcards, write_obsidian
from studyattn.exchange.documents.extract import extract
from studyattn.exchange.documents.importing import apply_import, read_documents
from studyattn.exchange.export_file import export_to
from studyattn.exchange.memories import LearnedBefore
from studyattn.exchange.registry import of_command
from studyattn.home import Home
from studyattn.memory import Scheduler
from studyattn.store.database import Database, open_database
from studyattn.store.models import CardRow, ItemRow
from studyattn.study.review.rebuild import refold

FILES = Path(__file__).parent / "documents" / "files"
NOW = datetime(2026, 1, 8, 12, tzinfo=UTC)
MEMORY = {"obsidian-cards"}  # formats that have one
HINTS = {"hashcards"}  # formats that have none

Card = tuple[str, str, object]


@pytest.fixture
def homes(tmp_path: Path) -> Iterator[tuple[Database, Database]]:
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(open_database(Home(tmp_path / name), now=NOW))
            for name in ("first", "second")
        )
        yield first, second


def take(database: Database, *paths: Path) -> None:
    apply_import(database, read_documents(database, paths).plan, NOW, (), refold)


def cards(database: Database, name: str) -> set[Card]:
    with database.read() as connection:
        rows = connection.execute(
            select(CardRow.front, CardRow.back, ItemRow.due).join(
                ItemRow, ItemRow.id == CardRow.item_id
            )
        ).all()
    found = set()
    for front, back, due in rows:
        asked = front.replace("[a number]", "[…]") if name in HINTS else front
        found.add((" ".join(asked.split()), back.split("\n\n")[0], due if name in MEMORY else None))
    return {(front, " ".join(back.split()), due) for front, back, due in found}


@pytest.mark.parametrize("form", of_command("cards"), ids=lambda form: form.name)
def test_what_is_written_is_read_with_the_same_cards(
    form: object, homes: tuple[Database, Database], tmp_path: Path
) -> None:
    (form,) = (each for each in of_command("cards") if each is form)
    ours, theirs = homes
    take(ours, FILES / "obsidian.md", FILES / "cards.csv")
    path = tmp_path / form.file_name
    summary = export_to(ours, Scheduler(), form, path)
    take(theirs, path)
    assert summary == "10 cards"
    assert cards(theirs, form.name) == cards(ours, form.name)
    assert len(cards(theirs, form.name)) == 10


def entry(front: str, back: str, *, gaps: bool = False) -> FileCard:
    return FileCard("g", "Deck", (), front, back, gaps=gaps)


@pytest.mark.parametrize(
    ("front", "back"),
    [
        ("a::b", "c"),
        ("# no heading", "c"),
        ("- a list", "c :: d"),
        ("two\n\nparagraphs", "```python\n\nx = 1\n```\n\nthe end"),
        ("is this", "?"),
        ("this", "# a heading\n\ntext"),
    ],
)
def test_obsidian_reads_difficult_cards_as_they_are(front: str, back: str) -> None:
    found = extract(write_obsidian([entry(front, back)]), "a.md").questions
    assert [(each.text, each.answer) for each in found] == [(front, back)]


def test_a_new_sibling_of_a_card_with_a_schedule_stays_new() -> None:
    learned = LearnedBefore(date(2026, 1, 12), 7.0, 2300.0)
    text = write_obsidian([replace(entry("a", "b"), both_ways=True, learned=(learned, None))])
    assert [each.learned for each in extract(text, "a.md").questions] == [learned, None]


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_schedule_of_no_time_at_all_is_taken(
    homes: tuple[Database, Database], tmp_path: Path, day: str
) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"#flashcards\na::b<!--SR:!{day},30,250-->\n", encoding="utf-8")
    take(homes[0], path)
    path = tmp_path / "b.md"
    path.write_text(
        f"- c #card\n  card-last-interval:: 9\n  card-ease-factor:: 2.5\n"
        f"  card-next-schedule:: {day}T00:00:00Z\n    - d\n",
        encoding="utf-8",
    )
    take(homes[0], path)
    assert len(cards(homes[0], "csv")) == 2


def test_hashcards_takes_marks_in_a_text_for_text() -> None:
    text = write_hashcards([entry("C: is no mark\n---\nA: here", "see [1]")])
    (found,) = extract(text, "a.md", "hashcards").questions
    assert found.text.split("\n") == ["C: is no mark", " ---", " A: here"]
    gaps = write_hashcards([entry("an index [0] and a ==1|gap==", "", gaps=True)])
    assert gaps == "C: an index \\[0\\] and a [gap]\n"


def test_anki_itself_takes_the_text(homes: tuple[Database, Database], tmp_path: Path) -> None:
    pytest.importorskip("anki", reason="Anki is not installed")
    from anki.collection import Collection, ImportCsvRequest

    take(homes[0], FILES / "obsidian.md", FILES / "cards.csv")
    path = tmp_path / "cards.txt"
    (form,) = (each for each in of_command("cards") if each.name == "anki-text")
    export_to(homes[0], Scheduler(), form, path)
    collection = Collection(str(tmp_path / "collection.anki2"))
    try:
        metadata = collection.get_csv_metadata(str(path), None)
        collection.import_csv(ImportCsvRequest(path=str(path), metadata=metadata))
        assert collection.card_count() == 10
        types = {
            collection.get_note(number).note_type()["name"]  # type: ignore[index]  # it has one
            for number in collection.find_notes("")
        }
        assert types == {"Basic", "Basic (and reversed card)", "Cloze"}
    finally:
        collection.close()
