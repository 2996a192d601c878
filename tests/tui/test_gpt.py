"""The learner's own GPT on the screen, with real workers."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from studyattn.bundled import content_dir
from studyattn.home import Home
from studyattn.lm.records import Sample, Sizes
from studyattn.study.practice.gpt import TrainedModel, Trainings, trained_models
from studyattn.study.practice.model_parts import ModelPart
from studyattn.tui.screens import gpt
from studyattn.tui.screens.gpt import GptScreen
from tests.tui.conftest import OpenApp, children, last_line, press, settle, text_of, until

CONTENT = content_dir()
SMALL = Sizes(width=16, heads=2, layers=1, context=16, batch=4)


@pytest.fixture(autouse=True)
def small_model(no_builtin_pack: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)
    monkeypatch.setattr(gpt, "Trainings", partial(Trainings, sizes=SMALL))


def screen_of(pilot: Pilot[None]) -> GptScreen:
    screen = pilot.app.screen
    assert isinstance(screen, GptScreen)
    return screen


async def test_a_mistake_beside_the_right_one_until_escape_keeps_both(
    stocked_home: Home, open_app: OpenApp
) -> None:
    had_torch = "torch" in sys.modules  # another test may have imported it
    async with open_app(stocked_home) as pilot:
        await press(pilot, "G")
        await until(pilot, lambda: "Press space to train a model" in text_of(pilot))
        assert "From the pack until you pass the drill: multi_head_attention" in text_of(pilot)
        await press(pilot, "B")
        await press(pilot, *"mask-missing", "enter")
        screen = screen_of(pilot)
        await until(pilot, lambda: bool(screen.models) and screen.models[1].steps > 0)
        assert "stop and keep it" in last_line(pilot)
        await press(pilot, "escape")
        await until(pilot, lambda: not screen.is_busy)
        shown = text_of(pilot)
        assert "The mask is not used: every query attends to every key." in shown
        assert "● right" in shown
        assert "○ mask-missing" in shown
        assert "Cached and plain differ" in shown
        assert [model.name for model in trained_models(stocked_home)] == ["gpt", "mask-missing"]
        assert ("torch" in sys.modules) is had_torch


async def test_it_trains_on_a_file_and_writes_after_a_prompt(
    stocked_home: Home, open_app: OpenApp, tmp_path: Path
) -> None:
    text = tmp_path / "counting.txt"
    text.write_text("one two three four five six seven " * 200)
    async with open_app(stocked_home) as pilot:
        await press(pilot, "G")
        screen = screen_of(pilot)
        await until(pilot, lambda: "use your own text" in text_of(pilot))
        await press(pilot, "e", *"nowhere", "enter")
        await until(pilot, lambda: "This did not work" in text_of(pilot))
        await press(pilot, "escape")
        await press(pilot, "e")
        pilot.app.screen.query_one(Input).value = str(text)
        await press(pilot, "enter")
        await until(pilot, lambda: "next training text:" in text_of(pilot))
        await press(pilot, "T")
        await until(pilot, lambda: bool(screen.models) and screen.models[0].steps > 0)
        await press(pilot, "escape")
        await until(pilot, lambda: not screen.is_busy)
        assert [model.text for model in trained_models(stocked_home)] == [str(text)]
        await press(pilot, "w", "enter")
        await until(pilot, lambda: bool(screen.models) and not screen.is_busy)
        assert "\n   gpt" in text_of(pilot)
        assert "end it" not in last_line(pilot)
        await press(pilot, "W")
        await press(pilot, *"generate-wrong", "enter")
        await until(pilot, lambda: "generate-wrong-position" in text_of(pilot))
        await until(pilot, lambda: not screen.is_busy)
        assert "\n   gpt" in text_of(pilot)


@pytest.mark.usefixtures("own_servers")
async def test_the_worker_ends_with_the_screen(stocked_home: Home, open_app: OpenApp) -> None:
    before = children()
    async with open_app(stocked_home) as pilot:
        await press(pilot, "G")
        screen = screen_of(pilot)
        await until(pilot, lambda: "Press space to train a model" in text_of(pilot))
        await press(pilot, "T")
        await until(pilot, lambda: bool(screen.models) and screen.models[0].steps > 0)
        pilot.app.pop_screen()
        await until(pilot, lambda: not children() - before)
        # Quitting closes the screen, too: what was learned is kept.
        assert [model.name for model in trained_models(stocked_home)] == ["gpt"]


@pytest.mark.usefixtures("own_servers")
async def test_quitting_in_a_training_keeps_the_model_and_leaves_no_worker(
    stocked_home: Home, open_app: OpenApp
) -> None:
    before = children()
    async with open_app(stocked_home) as pilot:
        await press(pilot, "G")
        screen = screen_of(pilot)
        await press(pilot, "T")
        await until(pilot, lambda: bool(screen.models) and screen.models[0].steps > 0)
        pilot.app.exit()
    assert [model.name for model in trained_models(stocked_home)] == ["gpt"]
    assert not children() - before


async def test_without_torch_a_dialog_says_what_to_install(
    stocked_home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.study.practice.running.is_installed", lambda _: False)
    async with open_app(stocked_home) as pilot:
        await press(pilot, "G")
        await until(pilot, lambda: "Press space to train a model" in text_of(pilot))
        await press(pilot, "space")
        await until(pilot, lambda: "Torch is not installed" in text_of(pilot))
        assert "Install it with" in text_of(pilot)


def trained(name: str, last: float) -> TrainedModel:
    curve = tuple((step, 4.5 - (4.5 - last) * step / 900) for step in range(0, 901, 20))
    samples = tuple(Sample(step, f"The {'text of it ' * 9}") for step in (0, 100, 400, 900))
    mistake = None if name == "gpt" else name
    title = "" if mistake is None else "The mask is applied after the softmax."
    parts = (ModelPart("embed", "embed", "yours"),)
    told = (name, "a text", mistake, title, parts, 350_592, 900)
    return TrainedModel(*told, loss=last, curve=curve, samples=samples)


@pytest.mark.parametrize(
    ("size", "lowest", "numbers"),
    [((80, 24), 6, False), ((160, 50), 28, True)],
)
async def test_a_training_fills_the_terminal_and_says_what_its_numbers_mean(
    empty_home: Home, open_app: OpenApp, size: tuple[int, int], lowest: int, *, numbers: bool
) -> None:
    async with open_app(empty_home, size=size) as pilot:
        screen = GptScreen()
        screen.models = trained("gpt", 1.6), trained("mask-after-softmax", 0.05)
        pilot.app.push_screen(screen)
        await settle(pilot)
        lines = text_of(pilot).splitlines()
        assert (
            sum("│" in line or "┤" in line for line in (line[:12] for line in lines)) >= lowest - 2
        )
        assert any("○ mask-after-softmax  0.050" in line for line in lines)
        assert ("What the numbers mean" in "".join(lines)) == numbers
        body = screen.query_one("#reading")
        assert body.show_vertical_scrollbar != numbers
        assert any("step 900" in line for line in lines[3:])
        if not numbers:
            body.scroll_end(animate=False)
            await settle(pilot)
            shown = text_of(pilot)
            assert "From the pack until you pass the drill" in shown
