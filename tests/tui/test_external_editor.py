"""The learner's own editor: which command, what goes out, what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Never

import pytest
from textual.app import App, SuspendNotSupported
from textual.widgets import TextArea

from studyattn.errors import InputError
from studyattn.home import Home
from studyattn.study.clock import FixedClock
from studyattn.tui.app import StudyApp
from studyattn.tui.leaving import editor_command, launch
from studyattn.tui.theme import Look
from studyattn.tui.widgets.text_areas import NoteEditor
from tests.tui.conftest import press, settle, text_of


def test_the_setting_wins_over_visual_and_visual_over_editor() -> None:
    environment = {"VISUAL": "code --wait", "EDITOR": "ed"}
    assert editor_command("nano -l", environment) == ["nano", "-l"]
    assert editor_command("", environment) == ["code", "--wait"]
    assert editor_command("", {"EDITOR": "ed"}) == ["ed"]
    for setting in ("", "vi 'open"):
        with pytest.raises(InputError):
            editor_command(setting, {})


def test_a_terminal_that_cannot_be_lent_is_told() -> None:
    with pytest.raises(InputError, match="cannot run an editor"):
        launch(NoTerminal(), ["true"])


class NoTerminal(App[None]):
    """An app whose terminal cannot be put aside."""

    def suspend(self) -> Never:
        raise SuspendNotSupported("no")


async def test_a_card_is_written_in_the_own_editor(
    home: Home, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "my-editor --wait")
    seen: list[tuple[str, ...]] = []

    def write(_: App[None], command: Sequence[str]) -> None:
        file = Path(command[-1])
        seen.append((*command[:-1], file.read_text(encoding="utf-8")))
        file.write_text("Why do weights sum to one?\n", encoding="utf-8")

    app = StudyApp(home, clock, Look.DARK, write)
    async with app.run_test() as pilot:
        await settle(pilot)
        await press(pilot, "space", "e", "ctrl+o")
        assert seen == [("my-editor", "--wait", "Why do the weights of a query sum to 1?\n")]
        assert app.screen.query_one("#front", TextArea).text == "Why do weights sum to one?"
        await press(pilot, "ctrl+s")
        assert "Why do weights sum to one?" in text_of(pilot)


async def test_an_editor_that_fails_changes_nothing(
    home: Home, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "my-editor")

    def fail(_: App[None], command: Sequence[str]) -> None:
        raise InputError("the editor could not be used", where=command[0])

    app = StudyApp(home, clock, Look.DARK, fail)
    async with app.run_test() as pilot:
        await settle(pilot)
        await press(pilot, "n", "n", *"my text", "ctrl+o")
        assert "The editor could not be used" in text_of(pilot)
        await press(pilot, "enter")
        assert app.screen.query_one(NoteEditor).text == "my text"
