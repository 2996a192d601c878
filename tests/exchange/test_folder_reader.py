"""The folder for Obsidian comes back: what was changed in it, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from studyattn.errors import DocumentError
from studyattn.exchange.export_file import export_to
from studyattn.exchange.import_file import import_file, preview
from studyattn.exchange.learning_note.folder import write_folder
from studyattn.exchange.learning_note.reader import read_folder
from studyattn.exchange.merge.merge_into import MergeReport, merge_into
from studyattn.exchange.recognition import INDEX
from studyattn.exchange.registry import OBSIDIAN, format_of
from studyattn.memory import Scheduler
from studyattn.store.database import Database
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.store.snapshot import CardRecord, NoteRecord, Snapshot
from studyattn.study.review.rebuild import refold
from tests.exchange.homes import Homes
from tests.exchange.test_learning_note import NOW, small

LATER = datetime(2026, 12, 1, tzinfo=UTC)


def with_gaps() -> Snapshot:
    """`small`, with a text of two gaps whose back has headings, and a note on that card."""
    held = small()
    text = "The ==1|query== meets the\n==2|key::what is offered==."
    made = [
        replace(
            held.items[0],
            guid=f"s:gap{group}",
            card=CardRecord("cloze", text, "# Why\n\nSo.", None, {"group": group}, "", None, "s:g"),
        )
        for group in (1, 2)
    ]
    note = NoteRecord("on-card", "A note", "Of 100 %% sure.", None, None, "s:gap1", NOW, NOW)
    return replace(held, items=(*held.items, *made), notes=(*held.notes, note)).ordered()


@pytest.fixture
def folder(homes: Homes, tmp_path: Path) -> Iterator[tuple[Database, Path]]:
    with homes.new() as database:
        merge_into(database, with_gaps(), refold)
        path = tmp_path / "pages"
        export_to(database, Scheduler(), OBSIDIAN, path)
        yield database, path


def take(database: Database, path: Path, at: datetime = LATER) -> MergeReport:
    form = format_of(path)
    assert form is OBSIDIAN
    return import_file(database, path, form, at, refold)


def held(database: Database) -> Snapshot:
    with database.read() as connection:
        return load_snapshot(connection)


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after), "utf-8")


def test_an_unchanged_folder_changes_nothing(folder: tuple[Database, Path]) -> None:
    database, path = folder
    before = held(database)
    report = take(database, path)
    assert report.changes_nothing
    assert report.lines() == ["nothing new"]
    assert held(database) == before
    assert format_of(path / INDEX) is OBSIDIAN
    assert take(database, path / "masking.md").changes_nothing


def test_an_edited_card_and_an_edited_note_come_back_once(folder: tuple[Database, Path]) -> None:
    database, path = folder
    page = path / "masking.md"
    edit(page, "Because $e^{-\\infty} = 0$.", "Because its share is then 0.")
    edit(page, "### Mine", "### My own")
    edit(page, "Think of *zero*.", "Think of *nothing*.\n\n#### Part\n\nMore.")
    assert preview(database, path, OBSIDIAN, LATER).changed["items"] == 1
    report = take(database, path)
    assert (report.changed["items"], report.changed["notes"]) == (1, 1)
    after = held(database)
    (card,) = (each.card for each in after.items if each.card and "share" in each.card.back)
    assert card is not None
    assert (card.front, card.edited_at) == ("Why $-\\infty$?", LATER)
    (note,) = (each for each in after.notes if each.title == "My own")
    assert note.body == "Think of *nothing*.\n\n#### Part\n\nMore."
    assert any(each.body.startswith("Because $e") for each in after.wordings)
    assert take(database, path, LATER + timedelta(days=1)).changes_nothing


def test_gaps_keep_their_numbers_and_headings_their_levels(
    folder: tuple[Database, Path],
) -> None:
    database, path = folder
    page = path / "masking.md"
    assert "## The ==query== meets the ==key==.\n" in page.read_text("utf-8")
    edit(page, "==query== meets", "==asking query== meets")
    edit(page, "### Why\n\nSo.", "### Why\n\nSo it is.")
    take(database, path)
    cards = [each.card for each in held(database).items if each.guid.startswith("s:gap")]
    assert len(cards) == 2
    for card in cards:
        assert card is not None
        text = "The ==1|asking query== meets the ==2|key::what is offered==."
        assert (card.front, card.back) == (text, "# Why\n\nSo it is.")
    edit(page, "==key==", "key")
    with pytest.raises(DocumentError, match=r"masking\.md:\d+: the text has 1 gaps instead of 2"):
        take(database, path)


def test_a_new_heading_is_a_new_note_and_other_changes_are_told(
    folder: tuple[Database, Path],
) -> None:
    database, path = folder
    page = path / "masking.md"
    page.write_text(page.read_text("utf-8") + "\n## An idea\n\nWith `## code`:\n\n```\n## x\n```\n")
    (path / "media").mkdir()
    (path / "media" / "map-0123456789ab.png").write_bytes(b"a picture")
    edit(page, "Because $e", "![map](media/map-0123456789ab.png)\n\nBecause $e")
    (path / "own.md").write_text("# My own page\n")
    edit(path / "softmax.md", "# Softmax", "# Softmax, again")
    report = take(database, path)
    assert report.added["notes"] == 1
    (note,) = (each for each in held(database).notes if each.title == "An idea")
    assert (note.concept, note.body) == ("masking", "With `## code`:\n\n```\n## x\n```")
    assert (database.home.media / "map-0123456789ab.png").read_bytes() == b"a picture"
    own, outside = report.remarks
    assert own.startswith("own.md was not written by studyattn")
    assert outside.startswith("softmax.md: changes outside cards and notes")
    assert take(database, path).changes_nothing


def test_a_text_below_its_heading_is_reworded_as_well(folder: tuple[Database, Path]) -> None:
    database, path = folder
    front = "What does it give?\n\n```python\nsoftmax(x)\n```\n\nAnd [[softmax]]?"
    made = replace(small().items[0], guid="s:code")
    assert made.card is not None
    card = replace(made.card, front=front, back="Shares.\n\n# Why\n\nSee [[softmax]].")
    merge_into(database, Snapshot(items=(replace(made, card=card),)), refold)
    export_to(database, Scheduler(), OBSIDIAN, path)
    page = path / "masking.md"
    assert "## What does it give?\n\n```python\nsoftmax(x)\n```" in page.read_text("utf-8")
    assert take(database, path).changes_nothing
    edit(page, "softmax(x)\n```", "softmax(2 * x)\n```")
    take(database, path)
    (read,) = (each.card for each in held(database).items if each.guid == "s:code")
    assert read is not None
    assert read.front == front.replace("(x)", "(2 * x)").replace("]]", "|softmax]]")
    assert read.back == card.back


def test_a_folder_comes_into_another_home_too(folder: tuple[Database, Path], homes: Homes) -> None:
    database, path = folder
    edit(path / "masking.md", "Because $e^{-\\infty} = 0$.", "No.")
    with homes.new() as other:
        take(other, path)
        there = {each.guid: each.card and each.card.back for each in held(other).items}
    assert there == {
        each.guid: "No." if each.guid == "s:1" else each.card and each.card.back
        for each in held(database).items
    }


def test_a_mark_that_is_broken_or_of_an_earlier_version_is_named(tmp_path: Path) -> None:
    page = write_folder(small())["masking.md"]
    for broken in (
        page.replace("<!-- /studyattn -->", ""),
        page.replace('"sum":', '"sum"'),
        f'{page}\n%% studyattn {{"cards":["s:1"],"sum":"0"}} %%\n',
    ):
        (tmp_path / "masking.md").write_text(broken)
        with pytest.raises(DocumentError, match=r"masking\.md"):
            read_folder(tmp_path / "masking.md", LATER)


def test_windows_line_ends_change_nothing(folder: tuple[Database, Path]) -> None:
    database, path = folder
    for file in path.glob("*.md"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert take(database, path).changes_nothing
    assert not read_folder(path, LATER).remarks
