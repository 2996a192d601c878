"""Exporting from the app: each form is written, nothing is replaced without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.exchange.registry import FORMATS, HTML, OBSIDIAN
from studyattn.home import Home
from studyattn.tui.screens.today import TodayScreen
from tests.exchange.toyformat import TITLES
from tests.tui.conftest import OpenApp, press, text_of


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "me"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


def names_in(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


async def test_each_form_is_written(home: Home, out: Path, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "E")
        for form in FORMATS.values():
            assert f"~/{form.file_name}" in text_of(pilot)
            await press(pilot, "enter", "enter")
            shown = text_of(pilot)
            assert "✓ Written" in shown
            assert f"~/{form.file_name}" in shown
            await press(pilot, "escape", "down")
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, TodayScreen)
    assert names_in(out) == {form.file_name for form in FORMATS.values()}
    assert (out / HTML.file_name).read_text().startswith("<!DOCTYPE html>")
    assert (out / OBSIDIAN.file_name / "Learning note.md").is_file()


async def test_what_is_there_is_replaced_on_a_second_word(
    home: Home, out: Path, open_app: OpenApp
) -> None:
    there = out / HTML.file_name
    there.write_text("mine")
    async with open_app(home) as pilot:
        await press(pilot, "E", "enter", "enter")
        assert "already exists. Press again to replace it." in text_of(pilot)
        assert there.read_text() == "mine"
        await press(pilot, "enter")
        assert "✓ Written" in text_of(pilot)
    assert there.read_text() != "mine"


async def test_a_path_that_cannot_be_written_is_told(
    home: Home, out: Path, open_app: OpenApp
) -> None:
    (out / "file").write_text("")
    async with open_app(home) as pilot:
        await press(pilot, "E", "enter", "ctrl+u", *"~/file/x", "enter")
        assert "✗ This did not work" in text_of(pilot)
        assert "it cannot be written" in " ".join(text_of(pilot).split()).lower()


async def test_a_new_format_is_on_the_screen_for_exports(
    home: Home, out: Path, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMATS, TITLES.name, TITLES)
    async with open_app(home) as pilot:
        await press(pilot, "E", "end")
        shown = text_of(pilot)
        assert "Titles" in shown
        assert TITLES.about in shown
        assert "~/titles.txt" in shown
        await press(pilot, "enter", "enter")
        assert "✓ Written" in text_of(pilot)
    assert (out / "titles.txt").read_text().startswith("titles\n")


async def test_a_file_is_not_written_in_place_of_a_folder(
    home: Home, out: Path, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "E", "enter", "end", "ctrl+u", *"~/sub/", "enter")
        assert "This is a folder." in text_of(pilot)
    assert not names_in(out)
