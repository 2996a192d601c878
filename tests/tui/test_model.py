"""A real model on the screen: recorded figures without one, a tiny one in a real worker."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.home import Home
from studyattn.lm.llama.kept import Models
from studyattn.tui.screens.model import ModelScreen
from tests.llama_models import models
from tests.tui.conftest import OpenApp, children, last_line, press, text_of, until

__all__ = ["models"]

CONTENT = content_dir()


@pytest.fixture(autouse=True)
def drills_of_the_pack(no_builtin_pack: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)


async def test_without_a_model_it_says_how_to_get_one_and_shows_what_was_recorded(
    stocked_home: Home, open_app: OpenApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDYATTN_CACHE", str(tmp_path))
    async with open_app(stocked_home) as pilot:
        await press(pilot, "M")
        await until(pilot, lambda: "`studyattn model get`" in text_of(pilot))
        shown = text_of(pilot)
        assert f"{'mask-missing':<25}2.575  ________" in shown
        assert f"{'scale-missing':<23}713.4    " in shown
        assert "continue" not in last_line(pilot)


@pytest.mark.usefixtures("own_servers")
async def test_it_writes_alone_and_beside_a_mistake_and_leaves_no_worker(
    stocked_home: Home, open_app: OpenApp, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDYATTN_CACHE", str(models.folder.parent))
    had_torch = "torch" in sys.modules  # another test may have imported it
    before = children()
    async with open_app(stocked_home) as pilot:
        await press(pilot, "M")
        await until(
            pilot, lambda: "from the pack until you pass its drill: causal" in text_of(pilot)
        )
        await press(pilot, "B")
        await press(pilot, *"mask-missing", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, ModelScreen)
        await until(pilot, lambda: len(screen.sayings) == 2 and not screen.is_busy)
        right, wrong = screen.sayings
        assert right.perplexity is not None
        assert right.perplexity != wrong.perplexity
        shown = text_of(pilot)
        assert "The mask is not used: every query attends to every key." in shown
        assert "tokens/s" in shown
        await press(pilot, "space")
        await until(pilot, lambda: len(screen.sayings) == 1)
        await press(pilot, "escape")
        assert not children() - before
        assert ("torch" in sys.modules) is had_torch


@pytest.mark.usefixtures("own_servers")
async def test_all_tabs_ask_the_model_that_is_at_work(
    stocked_home: Home, open_app: OpenApp, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDYATTN_CACHE", str(models.folder.parent))
    before = children()
    async with open_app(stocked_home, (100, 40)) as pilot:
        await press(pilot, "M")
        screen = pilot.app.screen
        assert isinstance(screen, ModelScreen)
        await press(pilot, "space")
        await until(pilot, lambda: bool(screen.sayings) and not screen.is_busy)
        right = screen.sayings
        at_work = children() - before
        assert len(at_work) > 0
        workers = children(*at_work)
        assert len(workers) > 0
        await press(pilot, "H")
        assert screen.patterns is not None
        await press(pilot, "tab")
        assert "Predictions, layer by layer" in text_of(pilot)
        assert "  2   " in text_of(pilot)
        await press(pilot, "shift+tab", "escape", "space")
        await until(pilot, lambda: bool(screen.sayings) and not screen.is_busy)
        assert screen.sayings[0].text == right[0].text
        assert children() - before == at_work
        assert children(*at_work) == workers
        await press(pilot, "shift+tab")
        assert "1 of 16" in text_of(pilot)
        assert screen.run_now is not None
        await press(pilot, "left", "right", "right")
        assert "2 of 16" in text_of(pilot)
        pilot.app.exit()
    assert not children() - before


async def test_a_question_that_fails_is_told_once_and_asked_again_by_a_key(
    stocked_home: Home, open_app: OpenApp, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDYATTN_CACHE", str(models.folder.parent))
    async with open_app(stocked_home) as pilot:
        await press(pilot, "M")
        with monkeypatch.context() as without:
            without.setattr("studyattn.study.practice.running.is_installed", lambda _: False)
            await press(pilot, "H")
            assert "torch is not installed" in text_of(pilot).lower()
            await press(pilot, "escape")
            screen = pilot.app.screen
            assert isinstance(screen, ModelScreen)
            assert not screen.is_busy
            assert screen.patterns is None
        await press(pilot, "H")
        assert screen.patterns is not None


async def test_code_of_a_drill_is_put_in_beside_the_plain_model(
    stocked_home: Home, open_app: OpenApp, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDYATTN_CACHE", str(models.folder.parent))
    async with open_app(stocked_home) as pilot:
        await press(pilot, "M")
        await until(pilot, lambda: "from the pack until you pass its drill" in text_of(pilot))
        await press(pilot, "V", *":layers=1", "ctrl+s")
        screen = pilot.app.screen
        assert isinstance(screen, ModelScreen)
        await until(pilot, lambda: len(screen.sayings) == 2 and not screen.is_busy)
        plain, drafted = screen.sayings
        assert (plain.label, drafted.label) == ("right", "speculative-step")
        assert plain.text == drafted.text
        assert not plain.measured
        assert "accepted: " in text_of(pilot)
        assert "drafts accepted," in text_of(pilot)
        await press(pilot, "B", *"spec-rejected-kept", "enter")
        await until(pilot, lambda: "spec-rejected-kept" in text_of(pilot) and not screen.is_busy)
        right, wrong = screen.sayings
        assert right.text == drafted.text
        assert right.measured
        assert wrong.text != right.text
        await press(pilot, "V", *"x", "ctrl+s")
        await until(pilot, lambda: "layers=1x" in text_of(pilot))
