"""What is pasted, as terminals send it: each end of line is a carriage return."""

from __future__ import annotations

from textual import events
from textual.pilot import Pilot

from studyattn.home import Home
from studyattn.tui.widgets.text_areas import CodeEditor, NoteEditor
from tests.tui.conftest import OpenApp, press, settle, text_of


async def paste(pilot: Pilot[None], text: str) -> None:
    """As from the terminal's clipboard."""
    pilot.app.screen.post_message(events.Paste(text))
    await settle(pilot)


async def test_lines_that_are_pasted_into_a_note_stay_lines(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "n", "n")
        await paste(pilot, "one\rtwo\r\nthree\n\nfour")
        assert pilot.app.screen.query_one(NoteEditor).text == "one\ntwo\nthree\n\nfour"


async def test_code_that_is_pasted_keeps_its_lines(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        editor = CodeEditor()
        await pilot.app.screen.mount(editor)
        editor.focus()
        await paste(pilot, "def f(x):\r    return x\r")
        assert editor.text == "def f(x):\n    return x\n"


async def test_a_book_as_an_answer_leaves_the_right_one_in_sight(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        for _ in range(8):
            if "your answer" in text_of(pilot):
                break
            await press(pilot, "enter", "3")
        await paste(pilot, "softmax " * 12_500)
        await press(pilot, "enter")
        lines = text_of(pilot).splitlines()
        given = next(i for i, line in enumerate(lines) if "≠ softmax" in line)
        assert any("✓ " in line for line in lines[given:])
