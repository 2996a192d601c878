"""The cost lab with real workers: yours beside the solution, what is left out, ending a series."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from studyattn.bundled import content_dir
from studyattn.grading.cost.measurements import CostSeries, Point, Quantity, Role, Stopped
from studyattn.home import Home
from studyattn.tui.screens.cost import CostScreen
from studyattn.tui.screens.review import ReviewScreen
from studyattn.tui.theme import Look
from studyattn.tui.widgets.text_areas import CodeEditor
from tests.tui.conftest import OpenApp, last_line, press, settle, text_of, until

CONTENT = content_dir()
SOLUTION = CONTENT / "attention" / "drills" / "linear-attention" / "solution_numpy.py"
QUADRATIC = SOLUTION.with_name("contrast_numpy.py")
ENDLESS = "# backend: numpy\ndef linear_attention(q, k, v):\n    while True:\n        pass\n"


@pytest.fixture(autouse=True)
def built_in_pack(no_builtin_pack: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)


def write_drill(home: Home, source: str) -> None:
    home.drills.mkdir(parents=True, exist_ok=True)
    (home.drills / "linear-attention.py").write_text(source, encoding="utf-8")


async def open_lab(pilot: Pilot[None], drill: str = "linear-attention") -> CostScreen:
    screen = CostScreen(drill)
    pilot.app.push_screen(screen)
    await settle(pilot)
    return screen


async def measured(pilot: Pilot[None]) -> CostScreen:
    screen = await open_lab(pilot)
    await until(pilot, lambda: not screen.is_measuring)
    return screen


def servers() -> list[str]:
    """The fork servers that this process has started and that still run."""
    shown = subprocess.run(
        ["ps", "-o", "args=", "--ppid", str(os.getpid())],
        capture_output=True,
        text=True,
        check=False,
    )
    return [line for line in shown.stdout.splitlines() if "grading.server" in line]


def measuring(screen: CostScreen) -> bool:
    return screen.is_measuring


def shown_quantity(screen: CostScreen) -> Quantity:
    return screen.quantity


def current(pilot: Pilot[None]) -> object:
    """The screen on top."""
    return pilot.app.screen


async def test_the_learners_code_beside_the_solution(stocked_home: Home, open_app: OpenApp) -> None:
    had_torch = "torch" in sys.modules  # another test may have imported it
    write_drill(stocked_home, SOLUTION.read_text())
    async with open_app(stocked_home) as pilot:
        screen = await measured(pilot)
        assert [series.role for series in screen.series] == [
            Role.YOURS,
            Role.SOLUTION,
            Role.CONTRAST,
        ]
        shown = text_of(pilot)
        assert "● yours            grows as n^1.00: doubling n costs 2.0 times as much" in shown
        assert "× quadratic order  grows as n^2.00: doubling n costs 4.0 times as much" in shown
        assert "100M ┤" in shown
        assert "2048" in shown
        await press(pilot, "right")
        assert shown_quantity(screen) is Quantity.LARGEST_ARRAY
        assert "● yours            grows as n^1.00" in text_of(pilot)
        await press(pilot, "left", "left")
        assert shown_quantity(screen) is Quantity.TIME
        await pilot.resize_terminal(160, 50)
        await settle(pilot)
        shown = text_of(pilot)
        assert all(f"   {quantity}" in shown for quantity in Quantity)
        assert shown.count("2048") == len(Quantity)
        assert ("torch" in sys.modules) is had_torch


async def test_code_that_does_not_pass_is_left_out(stocked_home: Home, open_app: OpenApp) -> None:
    write_drill(stocked_home, SOLUTION.read_text().replace("x + 1", "x"))
    async with open_app(stocked_home) as pilot:
        screen = await measured(pilot)
        assert [series.role for series in screen.series] == [Role.SOLUTION, Role.CONTRAST]
        assert "It does not pass yet, so your code is not measured." in text_of(pilot)
        write_drill(stocked_home, QUADRATIC.read_text())  # right, and refused for what it costs
        await press(pilot, "ctrl+r")
        await until(pilot, lambda: not screen.is_measuring)
        assert screen.series[0].role is Role.YOURS
        shown = text_of(pilot)
        assert "does not pass yet" not in shown
        assert "● yours            grows as n^2.00" in shown


async def test_escape_ends_what_runs_and_then_leaves(stocked_home: Home, open_app: OpenApp) -> None:
    write_drill(stocked_home, ENDLESS)
    async with open_app(stocked_home) as pilot:
        screen = await open_lab(pilot)
        assert measuring(screen)
        assert "esc end it" in last_line(pilot)
        await asyncio.sleep(0.2)
        await press(pilot, "escape")
        assert not measuring(screen)
        assert current(pilot) is screen
        assert "stopped; measurements so far are kept" in last_line(pilot)
        await press(pilot, "escape")
        assert current(pilot) is not screen


async def test_a_drill_that_does_not_grow_says_which_do(
    stocked_home: Home, open_app: OpenApp
) -> None:
    async with open_app(stocked_home) as pilot:
        await open_lab(pilot, "softmax")
        shown = text_of(pilot)
        assert "No cost plot for the drill 'softmax'." in shown
        assert "kv-cache" in shown
        assert "measure again" not in last_line(pilot)


@pytest.mark.parametrize("look", list(Look))
@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_nothing_is_cut_whatever_has_to_be_said(
    stocked_home: Home, open_app: OpenApp, size: tuple[int, int], look: Look
) -> None:
    async with open_app(stocked_home, size, look) as pilot:
        screen = await open_lab(pilot, "softmax")
        points = tuple(Point(n, n * n, n, n * 1e-6) for n in (64, 128, 256, 512))
        stopped = Stopped(512, "it raised ValueError: " + "because " * 12, 12)
        screen._lab = None
        for number, series in enumerate(
            (
                CostSeries("yours", Role.YOURS, "a", points[:2], stopped),
                CostSeries("solution", Role.SOLUTION, "a", points),
                CostSeries("eighteen columns…", Role.CONTRAST, "a", points),
            )
        ):
            screen._series[str(number)] = series
        screen.draw()
        await settle(pilot)
        shown = text_of(pilot)
        assert "(line 12)" in shown.replace("\n", " ")
        assert "doubling n costs 4.0 times as much" in shown
        reading = screen.query_one("#reading")
        assert reading.max_scroll_y == 0
        assert reading.max_scroll_x == 0


async def test_x_on_a_card_opens_its_lab(
    home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    concept = home.root / "packs" / "small" / "concepts" / "softmax.md"
    text = concept.read_text(encoding="utf-8")
    concept.write_text(text.replace("{#softmax-sum}", "{#softmax-sum lab=linear-attention}"))
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: Path("/nowhere"))
    async with open_app(home) as pilot:
        await press(pilot, "space")
        assert isinstance(current(pilot), ReviewScreen)
        assert "x cost lab" in last_line(pilot)
        await press(pilot, "space")
        assert "▸ cost lab: how linear-attention grows" in text_of(pilot)
        await press(pilot, "x")
        assert isinstance(current(pilot), CostScreen)
        assert "There is no drill 'linear-attention'" in text_of(pilot)  # nor any pack with it
        await press(pilot, "escape")
        assert isinstance(current(pilot), ReviewScreen)


async def test_x_in_the_drill_saves_and_measures(stocked_home: Home, open_app: OpenApp) -> None:
    write_drill(stocked_home, "# backend: numpy\n")
    async with open_app(stocked_home) as pilot:
        await press(pilot, "d")
        drills = pilot.app.screen.query_one(OptionList)
        drills.highlighted = drills.get_option_index("linear-attention")
        assert "x cost" in last_line(pilot)
        await press(pilot, "enter", "1")
        editor = pilot.app.screen.query_one(CodeEditor)
        editor.text = SOLUTION.read_text()
        await press(pilot, "escape", "x")
        screen = current(pilot)
        assert isinstance(screen, CostScreen)
        await until(pilot, lambda: not screen.is_measuring)
        assert screen.series[0].role is Role.YOURS
        assert screen.series[0].is_whole
        await press(pilot, "escape", "escape", "x")
        again = current(pilot)
        assert isinstance(again, CostScreen)  # from the list
        await until(pilot, lambda: bool(again.series))
    assert not servers()
