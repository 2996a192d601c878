"""The app's import of whole files: what is bad changes nothing, and media are told before."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from studyattn.exchange.anki import package
from studyattn.exchange.anki.writer import write_package
from studyattn.exchange.json_lines import write_lines
from studyattn.home import Home
from studyattn.memory import Scheduler
from tests.exchange.badfiles import BAD_FILES, LIMIT_MB, NAMES, rows_of
from tests.exchange.test_two_machines import start
from tests.tui.conftest import OpenApp, last_line, press, text_of
from tests.tui.test_import_screen import write_path


@pytest.fixture
def _small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "LARGEST", LIMIT_MB * 2**20)


@pytest.mark.usefixtures("_small_limit")
@pytest.mark.parametrize(("make", "problem"), BAD_FILES, ids=NAMES)
async def test_bad_files_are_told_in_words_and_change_nothing(
    home: Home, tmp_path: Path, open_app: OpenApp, make: Callable[[Path], Path], problem: str
) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    path = make(folder)
    async with open_app(home, size=(160, 50)) as pilot:
        await press(pilot, "I")
        before = rows_of(home.database)
        await write_path(pilot, str(path))
        await press(pilot, "enter")
        shown = " ".join(text_of(pilot).replace("│", " ").split())
        assert "✗ This did not work" in shown
        assert problem[1:] in shown  # a sentence begins with a capital
        await press(pilot, "enter")
        assert "enter preview" in last_line(pilot)
        assert rows_of(home.database) == before


async def test_a_package_tells_its_media_before_it_is_taken(
    home: Home, tmp_path: Path, open_app: OpenApp
) -> None:
    path = tmp_path / "deck.apkg"
    write_package(path, start(), Scheduler())
    with zipfile.ZipFile(path) as archive:
        collection = archive.read("collection.anki2")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("collection.anki2", collection)
        archive.writestr("media", json.dumps({"0": "map.png", "1": "voice\x1b[2J.mp3"}))
        archive.writestr("0", b"x" * 3000)
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(path))
        await press(pilot, "enter")
        shown = text_of(pilot)
        assert "preview only, nothing imported yet" in shown
        assert "3 items" in shown
        assert "2 pictures and sounds not imported" in shown
        assert "  map.png  3 kB" in shown
        assert ".mp3  not in the package" in shown
        assert "\x1b" not in shown
        await press(pilot, "ctrl+s")
        assert "✓ Imported" in text_of(pilot)


@pytest.mark.parametrize("form", ["deck.apkg", "everything.jsonl"])
async def test_the_cards_of_a_package_or_export_can_be_studied_at_once(
    home: Home, tmp_path: Path, open_app: OpenApp, form: str
) -> None:
    path = tmp_path / form
    if form == "deck.apkg":
        write_package(path, start(), Scheduler())
    else:
        path.write_text("".join(f"{line}\n" for line in write_lines(start())), "utf-8")
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(path))
        await press(pilot, "enter", "ctrl+s", "S")
        assert "3 new" in text_of(pilot).splitlines()[0]
        assert "Why?" in text_of(pilot)
        await press(pilot, "space")
        assert "Because." in text_of(pilot)
        await press(pilot, "4", "escape")
        assert "✓ Imported" in text_of(pilot)


async def test_no_title_drives_the_terminal(home: Home, tmp_path: Path, open_app: OpenApp) -> None:
    path = tmp_path / "odd.md"
    path.write_text("# A \x1b[2Jtitle\u202e\n\n## Questions\n\n### Why \x9b2J?\n\nBecause.\n")
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(path))
        await press(pilot, "enter")
        assert "A [2Jtitle" in text_of(pilot)
        for keys in ((), ("ctrl+s",), ("escape", "c"), ("escape", "b")):
            await press(pilot, *keys)
            assert not set("\x1b\x9b\u202e") & set(text_of(pilot))


async def go_to(pilot: Pilot[None], text: str) -> None:
    """Put the cursor on the first line of the preview with `text`."""
    rows = pilot.app.screen.query_one("#list", OptionList)
    prompts = [str(option.prompt) for option in rows.options]
    rows.highlighted = next(at for at, prompt in enumerate(prompts) if text in prompt)
    await pilot.pause()


async def test_cards_are_edited_in_the_preview(
    home: Home, tmp_path: Path, open_app: OpenApp
) -> None:
    path = tmp_path / "qa.md"
    path.write_text(
        "# A talk\n\n## Questions\n\n### Heads?\n\nSeveral.\n\n**Cost:** the same.\n\n"
        "### Masks?\n\nHidden keys.\n\n### Scores?\n\nDot products.\n",
        "utf-8",
    )
    async with open_app(home, size=(120, 40)) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(path))
        await press(pilot, "enter")
        await go_to(pilot, "could be 2 cards")
        assert "X leave out   J split   j merge   e edit" in last_line(pilot)
        await press(pilot, "J")
        await go_to(pilot, "Heads: Cost")
        await press(pilot, "X")
        assert "Heads: Cost" not in text_of(pilot)
        await go_to(pilot, "card           Masks?")
        await press(pilot, "j")
        assert "card           Scores?" not in text_of(pilot)
        assert "left out       Scores?" in text_of(pilot)
        await press(pilot, "e", "X", "ctrl+s")
        assert "card           XMasks?" in text_of(pilot)
        await press(pilot, "u")
        assert "card           Masks?" in text_of(pilot)
        await press(pilot, "c")
        await press(pilot, *"softmax", "enter")
        await press(pilot, "ctrl+s")
        assert "✓ Imported" in text_of(pilot)
    cards = [row for row in rows_of(home.database)["card"] if "Masks?" in row]
    assert len(cards) == 1
    titles = {row[2] for row in rows_of(home.database)["concept"]}
    assert "Heads" in titles
    assert "Masks" not in titles


async def test_the_preview_says_how_a_file_was_understood_and_what_was_not(
    home: Home, open_app: OpenApp
) -> None:
    files = Path(__file__).parent.parent / "exchange" / "documents" / "files"
    async with open_app(home, size=(80, 24)) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(files / "obsidian.md"))
        await press(pilot, "enter")
        shown = " ".join(text_of(pilot).split())
        assert (
            "Read as Obsidian's flashcards: 7 cards (1 reversed, 2 gaps, 3 with a memory)." in shown
        )
        assert "23 ! no card: no question next to the line ? (line 23)" in shown
        await press(pilot, "ctrl+s")
        assert "✓ Imported" in text_of(pilot)
