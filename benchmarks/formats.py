"""Measure each format of cards: a real file in, what was not understood, and out again.

    python -m benchmarks.formats [FILE ...]
    python -m benchmarks.formats --tools
    python -m benchmarks.formats --labels FILE.tsv

Without files those of the tests; with `--tools` files that Anki, nbformat and Python's csv write
now, of cards with formulas, code, tabs, quotes and gaps. A file comes in through its preview; where
the format is written, too, its cards go out and into an empty home again, and the table says how
many came back with the same two sides, and how many of the memories with the same day.

`--labels` names a table of files, their number of cards and their format, counted apart from the
reader; it prints recall and precision by format.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import select

from studyattn.errors import StudyattnError
from studyattn.exchange.documents.dialects import load
from studyattn.exchange.documents.extract import extract
from studyattn.exchange.documents.importing import apply_import, read_documents
from studyattn.exchange.documents.plan import not_read
from studyattn.exchange.export_file import export_to
from studyattn.exchange.registry import of_command
from studyattn.home import Home
from studyattn.memory import Scheduler
from studyattn.store.database import Database, open_database
from studyattn.store.models import CardRow, ItemRow, MemoryStartRow
from studyattn.study.review.rebuild import refold

NOW = datetime(2026, 1, 8, 12, tzinfo=UTC)
FILES = Path(__file__).parent.parent / "tests" / "exchange" / "documents" / "files"
OUT = {"obsidian": "obsidian-cards", "csv": "csv", "anki-text": "anki-text"} | {
    "hashcards": "hashcards"
}
"""The format of `export cards` that writes what a dialect reads."""

Sides = tuple[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description="Import files of cards, and export them again.")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--tools", action="store_true", help="let other programs write files")
    parser.add_argument("--labels", type=Path, help="files with their numbers of cards")
    chosen = parser.parse_args()
    if chosen.labels:
        print_recall(chosen.labels)
        return
    print(
        f"{'file':<22} {'read as':<10} {'cards':>5} {'memory':>6} {'not read':>8}  out and in again"
    )
    with tempfile.TemporaryDirectory() as name:
        files = chosen.files or sorted(each for each in FILES.iterdir() if each.is_file())
        for path in written(Path(name)) if chosen.tools else files:
            try:
                print(row(path))
            except StudyattnError as error:
                print(f"{path.name:<22} {error}")


WRITTEN = (
    ("Why are scores scaled?", "So that softmax keeps its gradient: the variance is \\(d\\)."),
    ('What does a mask add, "before" softmax?', "Minus infinity\twhere nothing may be seen."),
    ("What prints `print(2 > 1 & 3)`?", "True, since & binds first:<br>2 > (1 & 3)"),
)
"""What the programs are given: question and answer, as their users type them."""


def written(folder: Path) -> Iterator[Path]:
    """Let the programs write files, and return those of the ones that are installed."""
    if find_spec("anki") is not None:
        yield from written_by_anki(folder)
    if find_spec("nbformat") is not None:
        import nbformat

        cells = [nbformat.v4.new_markdown_cell("# Attention\n\n## Questions")]
        cells += [
            nbformat.v4.new_markdown_cell(f"### {front}\n\n{back}") for front, back in WRITTEN
        ]
        cells += [nbformat.v4.new_code_cell("import numpy as np\n\nnp.exp(np.zeros(2))")]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / "jupyter.ipynb")
        yield folder / "jupyter.ipynb"
    for name, dialect in (("excel.csv", "excel"), ("excel-tab.tsv", "excel-tab")):
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file, dialect)
            rows.writerows([("front", "back"), *WRITTEN])
        yield folder / name


def written_by_anki(folder: Path) -> Iterator[Path]:
    """Make a collection with Anki's own library, and export its notes and its cards as text."""
    from anki.collection import Collection
    from anki.decks import DeckId

    collection = Collection(str(folder / "collection.anki2"))
    try:
        deck = DeckId(collection.decks.add_normal_deck_with_name("Attention::Scores").id)
        texts = [("Basic", each) for each in WRITTEN]
        texts += [("Basic (and reversed card)", ("query", "what is looked for"))]
        texts += [("Cloze", ("{{c1::Softmax}} makes {{c2::shares}}", ""))]
        for kind, (front, back) in texts:
            model = collection.models.by_name(kind)
            assert model is not None, kind  # every collection begins with these
            note = collection.new_note(model)
            note.fields[:2] = front, back
            collection.add_note(note, deck)
        notes, cards = folder / "anki-notes.txt", folder / "anki-cards.txt"
        collection.export_note_csv(
            out_path=str(notes),
            limit=None,
            with_html=True,
            with_tags=True,
            with_deck=True,
            with_notetype=True,
            with_guid=True,
        )
        collection.export_card_csv(out_path=str(cards), limit=None, with_html=True)
    finally:
        collection.close()
    yield from (notes, cards)


def row(path: Path) -> str:
    """Return the line of one file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with open_database(Home(folder / "first"), now=NOW) as database:
            read = read_documents(database, [path])
            (source,) = read.plan.sources
            take(database, path)
            found, memory = cards(database), memories(database)
            form = OUT.get(source.understood.name)
            again = "–" if form is None else out_and_in(database, form, folder, found, memory)
    unread = len(source.understood.unread)
    other = len([text for _, text in not_read(source.understood) if "--as" in text])
    told = f"{unread}" + (f"+{other}" if other else "")
    kind = source.understood.name
    return f"{path.name:<22} {kind:<10} {len(found):>5} {len(memory):>6} {told:>8}  {again}"


def out_and_in(
    database: Database, name: str, folder: Path, found: set[Sides], memory: dict[Sides, date]
) -> str:
    """Export as `name`, import into an empty home, and return what came back."""
    (form,) = (each for each in of_command("cards") if each.name == name)
    path = folder / form.file_name
    export_to(database, Scheduler(), form, path)
    with open_database(Home(folder / "second"), now=NOW) as other:
        take(other, path)
        back, remembered = cards(other), memories(other)
    same = len(found & back)
    days = sum(remembered.get(sides) == day for sides, day in memory.items())
    return f"{name}: {same} of {len(found)} cards, {days} of {len(memory)} memories"


def take(database: Database, path: Path) -> None:
    apply_import(database, read_documents(database, [path]).plan, NOW, (), refold)


def cards(database: Database) -> set[Sides]:
    """Return the sides of all cards, without differences of white space."""
    with database.read() as connection:
        rows = connection.execute(select(CardRow.front, CardRow.back)).all()
    return {(words(front), words(back)) for front, back in rows}


def memories(database: Database) -> dict[Sides, date]:
    """Return the day on which each card is due that began with a memory."""
    with database.read() as connection:
        rows = connection.execute(
            select(CardRow.front, CardRow.back, ItemRow.due)
            .join(ItemRow, ItemRow.id == CardRow.item_id)
            .join(MemoryStartRow, MemoryStartRow.item_guid == ItemRow.guid)
        ).all()
    return {(words(front), words(back)): due.date() for front, back, due in rows if due}


def words(text: str) -> str:
    return " ".join(text.split())


class Count(NamedTuple):
    """The cards of one labelled file."""

    there: int
    found: int
    offered: int
    """With those offers that come closest to what is there."""


def print_recall(labels: Path) -> None:
    """Print by format how many of the labelled cards are found, and how many that are none."""
    counts: defaultdict[str, list[Count]] = defaultdict(list)
    for path, cards_there, form, *_ in csv.reader(labels.open(encoding="utf-8"), "excel-tab"):
        counts[form].append(count_of(labels.parent / path, int(cards_there)))
    print(
        f"{'format':<14} {'files':>5} {'read':>7} {'or offered':>10} {'there':>7} recall precision"
    )
    for form, files in [*sorted(counts.items()), ("all", [*chain(*counts.values())])]:
        there = sum(each.there for each in files)
        right = sum(min(each.there, each.found) for each in files)
        found = sum(each.found for each in files)
        read = sum(is_near(each.there, each.found) for each in files)
        offered = sum(is_near(each.there, each.offered) for each in files)
        shares = [f"{right / whole:.2f}" if whole else "–" for whole in (there, found)]
        line = f"{form:<14} {len(files):>5} {read:>7} {offered:>10} {there:>7}"
        print(f"{line} {shares[0]:>6} {shares[1]:>9}")


def count_of(path: Path, there: int) -> Count:
    """Count the cards that are found in a file, and those with the best offers."""
    try:
        text = load(path)
        understood = extract(text, str(path)).understood
    except StudyattnError:
        return Count(there, 0, 0)
    offers = [each.cards for each in understood.offers]
    ways = [understood.cards, *offers, *(understood.cards + each for each in offers)]
    return Count(there, understood.cards, min(ways, key=lambda cards: abs(cards - there)))


def is_near(there: int, found: int) -> bool:
    """Return whether a file is read: a tenth of its cards may be missing or too many."""
    return 10 * abs(found - there) <= there


if __name__ == "__main__":
    main()
