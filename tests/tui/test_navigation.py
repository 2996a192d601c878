"""Screens by name: nothing else leads from one to another, and one entry adds a screen."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.house import import_circles, import_graph, read_modules
from studyattn.home import Home
from studyattn.tui.actions import ACTIONS, read_actions
from studyattn.tui.screens.today import TodayScreen
from studyattn.tui.services import SCREENS, ScreenEntry, register
from tests.tui.conftest import OpenApp, app_of, last_line, press, settle, text_of

ROOT = Path(__file__).parents[2]

TOY = """
from studyattn.tui.screens.base import StudyScreen
from textual.widgets import Static


class ToyScreen(StudyScreen):
    SCOPE = "Toy"
    CSS = "ToyScreen Static { padding: 1 3; }"

    def body(self):
        yield Static("wound down", id="toy")

    def draw(self):
        self.headline("Toy")

    def hints(self):
        yield "wind"
        yield "back"

    def action_wind(self):
        self.query_one("#toy").update("wound up")
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A screen that the program does not know: its module, one entry, its actions."""
    (tmp_path / "toy_screen.py").write_text(TOY, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    register(
        ScreenEntry("toy", "toy_screen:ToyScreen"),
        *read_actions(
            "[Toy]\ntoy.wind | w | screen.wind | Wind it up | wind\n"
            "[Go to]\ngo.toy | f6 | app.go('toy') | Play with the toy | toy"
        ),
    )
    yield
    del SCREENS["toy"]
    del ACTIONS[-2:]


@pytest.mark.usefixtures("toy")
async def test_a_registered_screen_is_opened_by_name_by_key_and_from_the_palette(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        app = app_of(pilot)
        app.go("toy")
        await settle(pilot)
        assert "wound down" in text_of(pilot)
        assert last_line(pilot).split() == ["w", "wind", "esc", "back", "?", "keys"]
        await press(pilot, "w")
        assert "wound up" in text_of(pilot)
        await press(pilot, "escape")
        assert isinstance(app.screen, TodayScreen)
        await press(pilot, "c", "f6")
        assert "wound down" in text_of(pilot)
        assert len(app.screen_stack) == 2, "it takes the place of the board"
        await press(pilot, "escape", "ctrl+p")
        await pilot.press(*"play with")
        await pilot.pause(0.3)
        await press(pilot, "enter")
        await settle(pilot)
        assert "wound down" in text_of(pilot)


@pytest.mark.usefixtures("toy")
async def test_help_and_palette_list_what_a_registered_screen_does(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home, size=(100, 30)) as pilot:
        app = app_of(pilot)
        await press(pilot, "f6")
        titles = {command.title for command in app.get_system_commands(app.screen)}
        assert {"Wind it up", "Play with the toy", "Concepts"} <= titles
        await press(pilot, "question_mark")
        lines = [line.split() for line in text_of(pilot).splitlines()[2:] if line.strip()]
        assert lines[0][0] == "Toy", "its own keys first"
        assert lines[1][:4] == ["w", "Wind", "it", "up"]


@pytest.mark.usefixtures("toy")
async def test_a_screen_without_global_keys_is_not_left_by_one(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        review = app_of(pilot).screen
        await press(pilot, "f6", "c", "t")
        assert app_of(pilot).screen is review


def test_every_screen_that_is_opened_by_name_has_an_entry_and_takes_the_arguments() -> None:
    calls = 0
    for path in sorted((ROOT / "studyattn" / "tui").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if node.func.attr != "go" or not isinstance(node.args[0], ast.Constant):
                continue
            entry = SCREENS[str(node.args[0].value)]
            options = {each.arg or "": None for each in node.keywords}
            inspect.signature(entry.load()).bind(*node.args[1:], **options)
            calls += 1
    assert calls > 20
    for action in ACTIONS:
        opened = re.fullmatch(r"app\.go\('(\w+)'\)", action.call)
        if opened:
            inspect.signature(SCREENS[opened[1]].load()).bind()


def test_no_screen_imports_another_or_the_app() -> None:
    """Base classes and dialogs are imported; what is in the registry is opened by its name."""
    graph = import_graph(read_modules(ROOT))
    registered = {entry.where.partition(":")[0] for entry in SCREENS.values()}
    for name in sorted(graph):
        if name.startswith("studyattn.tui.") and name != "studyattn.tui.app":
            assert not graph[name] & {*registered, "studyattn.tui.app"}, name
    own = {name: graph[name] for name in graph if name.startswith("studyattn.tui")}
    within = {name: {each for each in below if each in own} for name, below in own.items()}
    assert import_circles(within) == []
