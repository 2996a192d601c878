"""Exporting from the app: each form is written, nothing is replaced without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.exchange.export_file import ExportFormat
from studyattn.home import Home
from studyattn.tui.screens.exporting import FORMS
from studyattn.tui.screens.today import TodayScreen
from tests.tui.conftest import OpenApp, press, text_of


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "me"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


def test_every_form_has_its_words() -> None:
    assert list(FORMS) == [form.name for form in ExportFormat]


def names_in(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


async def test_each_form_is_written(home: Home, out: Path, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "E")
        for form in ExportFormat:
            assert f"~/{form.value}" in text_of(pilot)
            await press(pilot, "enter", "enter")
            shown = text_of(pilot)
            assert "✓ Written" in shown
            assert f"~/{form.value}" in shown
            await press(pilot, "escape", "down")
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, TodayScreen)
    assert names_in(out) == {form.value for form in ExportFormat}
    assert (out / ExportFormat.PAGE).read_text().startswith("<!DOCTYPE html>")
    assert (out / ExportFormat.FOLDER / "Learning note.md").is_file()


async def test_what_is_there_is_replaced_on_a_second_word(
    home: Home, out: Path, open_app: OpenApp
) -> None:
    there = out / ExportFormat.PAGE
    there.write_text("mine")
    async with open_app(home) as pilot:
        await press(pilot, "E", "enter", "enter")
        assert "is there already. Once more to replace it." in text_of(pilot)
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
