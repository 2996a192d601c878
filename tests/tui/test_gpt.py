"""The learner's own GPT on the screen, with real workers."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from studyattn.bundled import content_dir
from studyattn.home import Home
from studyattn.lm.records import Sizes
from studyattn.study.practice.gpt import Trainings, trained_models
from studyattn.tui.screens import gpt
from studyattn.tui.screens.gpt import GptScreen
from tests.tui.conftest import OpenApp, last_line, press, settle, text_of

CONTENT = content_dir()
SMALL = Sizes(width=16, heads=2, layers=1, context=16, batch=4)


@pytest.fixture(autouse=True)
def small_model(no_builtin_pack: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)
    monkeypatch.setattr(gpt, "Trainings", partial(Trainings, sizes=SMALL))


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Wait for what a worker brings about."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - other processes set no event
            await asyncio.sleep(0.02)
    await settle(pilot)


def screen_of(pilot: Pilot[None]) -> GptScreen:
    screen = pilot.app.screen
    assert isinstance(screen, GptScreen)
    return screen


async def test_a_mistake_beside_the_right_one_until_escape_keeps_both(
    empty_home: Home, open_app: OpenApp
) -> None:
    had_torch = "torch" in sys.modules  # another test may have imported it
    async with open_app(empty_home) as pilot:
        await press(pilot, "G")
        await until(pilot, lambda: "Space trains a model" in text_of(pilot))
        assert "lent until its drill is passed: multi_head_attention, CachedAttention" in text_of(
            pilot
        )
        await press(pilot, "b")
        await press(pilot, *"mask-missing", "enter")
        screen = screen_of(pilot)
        await until(pilot, lambda: bool(screen.models) and screen.models[1].steps > 0)
        assert "end and keep it" in last_line(pilot)
        await press(pilot, "escape")
        await until(pilot, lambda: not screen.is_busy)
        shown = text_of(pilot)
        assert "The mask is not used: every query attends to every key." in shown
        assert "● right" in shown
        assert "○ mask-missing" in shown
        assert "Cached and plain differ" in shown
        assert [model.name for model in trained_models(empty_home)] == ["gpt", "mask-missing"]
        assert ("torch" in sys.modules) is had_torch


async def test_it_trains_on_a_file_and_writes_after_a_prompt(
    empty_home: Home, open_app: OpenApp, tmp_path: Path
) -> None:
    text = tmp_path / "counting.txt"
    text.write_text("one two three four five six seven " * 200)
    async with open_app(empty_home) as pilot:
        await press(pilot, "G")
        screen = screen_of(pilot)
        await until(pilot, lambda: "a text of yours" in text_of(pilot))
        await press(pilot, "t", *"nowhere", "enter")
        await until(pilot, lambda: "This did not work" in text_of(pilot))
        await press(pilot, "escape")
        await press(pilot, "t")
        pilot.app.screen.query_one(Input).value = str(text)
        await press(pilot, "enter")
        await until(pilot, lambda: "the next one trains on" in text_of(pilot))
        await press(pilot, "l")
        await until(pilot, lambda: bool(screen.models) and screen.models[0].steps > 0)
        await press(pilot, "escape")
        await until(pilot, lambda: not screen.is_busy)
        assert [model.text for model in trained_models(empty_home)] == [str(text)]
        await press(pilot, "w", "enter")
        await until(pilot, lambda: bool(screen.models) and not screen.is_busy)
        assert "gpt after “The ”" in text_of(pilot)
        assert "end it" not in last_line(pilot)


async def test_the_worker_ends_with_the_screen(empty_home: Home, open_app: OpenApp) -> None:
    async with open_app(empty_home) as pilot:
        await press(pilot, "G")
        screen = screen_of(pilot)
        await until(pilot, lambda: "Space trains a model" in text_of(pilot))
        await press(pilot, "l")
        await until(pilot, lambda: bool(screen.models) and screen.models[0].steps > 0)
        pilot.app.pop_screen()
        await until(pilot, lambda: not _threads())
        assert trained_models(empty_home) == []  # it was ended before it was saved


async def test_without_torch_a_dialog_says_what_to_install(
    empty_home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.lm.asking.is_installed", lambda _: False)
    async with open_app(empty_home) as pilot:
        await press(pilot, "G")
        await until(pilot, lambda: "Space trains a model" in text_of(pilot))
        await press(pilot, "space")
        await until(pilot, lambda: "Torch is not installed" in text_of(pilot))
        assert "Install it with" in text_of(pilot)


def _threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "models"]
