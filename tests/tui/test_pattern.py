"""The attention view in the app: step by step, what is switched, and what is printed elsewhere."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from textual.widgets import TextArea

from studyattn.bundled import content_dir
from studyattn.home import Home
from studyattn.tui.attention_view.example import GALLERY, AttentionStep, opening_of
from studyattn.tui.attention_view.own_example import example_of
from studyattn.tui.dialogs.editor import EditorScreen
from studyattn.tui.screens.attention import PatternScreen
from studyattn.tui.screens.concept import ConceptScreen
from studyattn.tui.screens.example import ExampleScreen
from tests.tui.conftest import OpenApp, press, settle, text_of
from tests.tui.drills import descendants

CONTENT = content_dir()


async def test_step_by_step_with_what_is_printed_elsewhere(
    empty_home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)
    async with open_app(empty_home) as pilot:
        pilot.app.push_screen(PatternScreen())
        await settle(pilot)
        assert "X: a vector for each token" in text_of(pilot)
        await press(pilot, "right", "right")
        shown = text_of(pilot)
        assert "W_K" in shown
        assert "I, 1:  1·1 + 0.5·0 + 0.2·0 + 0.1·1 = 1.1" in shown
        await press(pilot, "space")
        assert "I, 2:  1·0 + 0.5·1 + 0.2·1 + 0.1·0 = 0.7" in text_of(pilot)
        assert "Printed: the keys are" in shown
        await press(pilot, "right", "right", "right", "right")
        assert "Computed: with the keys and values that the matrices give" in text_of(pilot)
        await press(pilot, "1")
        shown = text_of(pilot)
        assert "causal mask" in shown
        assert "no mask, ÷√d, T = 1" in shown  # the weights as they were, for comparison
        assert "Printed" not in shown  # it was printed without a mask
        await press(pilot, "x", "H")
        assert "head 2 of 2" in text_of(pilot)
        await press(pilot, "x", "2", "3", "left")
        assert "S / 2" in text_of(pilot)


async def test_every_drills_opening_and_every_example_can_be_drawn(
    empty_home: Home, open_app: OpenApp
) -> None:
    async with open_app(empty_home) as pilot:
        opening = opening_of("kv-cache")
        found = example_of({"q": [[1.0]], "k": [[1.0], [2.0]]}, "Smallest failing input")
        assert opening is not None
        assert found is not None
        screen = PatternScreen(opening, [found])
        pilot.app.push_screen(screen)
        await settle(pilot)
        assert "causal mask" in text_of(pilot)
        seen = [screen.example.title]
        for _ in range(len(GALLERY)):
            for step in screen.example.steps:
                screen.action_step(step.value)
                assert screen.step is step
            await press(pilot, "x")
            seen.append(screen.example.title)
        assert seen[1] == "Smallest failing input"
        assert len(set(seen)) == len(GALLERY) + 1


async def test_other_numbers_can_be_written_and_are_not_lost_when_refused(
    empty_home: Home, open_app: OpenApp
) -> None:
    async with open_app(empty_home) as pilot:
        screen = PatternScreen()
        pilot.app.push_screen(screen)
        await settle(pilot)
        await press(pilot, "e")
        area = pilot.app.screen.query_one("#text", TextArea)
        area.text = area.text.replace("I love apple phones", "you love apple")
        await press(pilot, "ctrl+s")
        assert isinstance(pilot.app.screen, EditorScreen)
        assert "X has 4 rows for 3 tokens" in text_of(pilot)
        area = pilot.app.screen.query_one("#text", TextArea)
        area.text = area.text.replace("you love apple", "you love apple pie")
        await press(pilot, "ctrl+s")
        assert screen.example.keys == ("you", "love", "apple", "pie")
        assert "Your own numbers" in text_of(pilot)
        assert screen.step is AttentionStep.X


@pytest.mark.usefixtures("own_servers")
async def test_escape_leaves_an_example_that_never_ends(
    empty_home: Home, open_app: OpenApp
) -> None:
    endless = {"id": "e", "title": "Endless", "source": "while True: pass\n", "output": "1"}
    before = descendants()  # other tests' servers among them
    async with open_app(empty_home) as pilot:
        for pause in (0.0, 1.0):  # while its server starts, and while it runs
            screen = ExampleScreen(endless)
            pilot.app.push_screen(screen)
            await pilot.pause(pause)
            await press(pilot, "escape")
            assert not screen.is_attached
        async with asyncio.timeout(8):  # its own limit is ten seconds
            while descendants() - before:  # noqa: ASYNC110 - sets no event
                await asyncio.sleep(0.05)


def test_its_numbers_need_no_torch() -> None:
    """The process that draws computes them with numpy alone."""
    code = """
import sys
from studyattn.tui.attention_view.example import GALLERY
from studyattn.tui.attention_view.example import AttentionView
import studyattn.tui.screens.attention
assert "numpy" not in sys.modules
from studyattn.tui.attention_view.tables import tables
for example in GALLERY:
    tables(example, 0, AttentionView(masked=True))
assert "numpy" in sys.modules
assert "torch" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


async def test_a_concept_shows_its_drills_attention_and_runs_its_example(
    empty_home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)
    async with open_app(empty_home, (120, 30)) as pilot:
        pilot.app.push_screen(ConceptScreen("worked-example"))
        await settle(pilot)
        await press(pilot, "a")
        assert "One head: I love apple phones" in text_of(pilot)
        await press(pilot, "escape", "x")
        assert isinstance(pilot.app.screen, ExampleScreen)
        await press(pilot, "escape")
        pilot.app.push_screen(ConceptScreen("parameter-count"))
        await settle(pilot)
        await press(pilot, "a")
        assert "none of its drills has an attention pattern" in text_of(pilot)
