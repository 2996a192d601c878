"""The drill screen with a real worker: from a wrong save to the diagnosis, the rating, and undo."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from studyattn.bundled import content_dir
from studyattn.home import Home
from studyattn.memory import Remembered
from studyattn.study import journal
from studyattn.study.clock import FixedClock
from studyattn.study.learner import Learner
from studyattn.study.queue import due_items
from studyattn.tui.screens.drill import DrillScreen
from studyattn.tui.screens.page import PageScreen
from studyattn.tui.screens.rating import RatingScreen
from studyattn.tui.widgets.codeeditor import CodeEditor
from studyattn.tui.widgets.drillpages import Page
from tests.tui.conftest import OpenApp, app_of, last_line, press, settle, text_of

CONTENT = content_dir()
GUID = "attention:drill/attention"
CODE = """# backend: numpy
import numpy as np


def attention(q, k, v):
    s = q @ np.swapaxes(k, -1, -2){scale}
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
"""
UNSCALED = CODE.format(scale="")
RIGHT = CODE.format(scale=" / np.sqrt(q.shape[-1]).astype(q.dtype)")
ENDLESS = "# backend: numpy\ndef attention(q, k, v):\n    while True:\n        pass\n"


@pytest.fixture(autouse=True)
def built_in_pack(no_builtin_pack: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)


async def open_drill(pilot: Pilot[None], name: str = "attention") -> DrillScreen:
    screen = DrillScreen(name)
    pilot.app.push_screen(screen)
    await settle(pilot)
    return screen


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Wait for what a worker or a file's watcher brings about."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - other processes set no event
            await asyncio.sleep(0.02)
    await settle(pilot)


def write_elsewhere(path: Path, text: str) -> None:
    """As editors do: a new file takes the old one's place."""
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def graded(screen: DrillScreen, verdict: str) -> Callable[[], bool]:
    return lambda: screen.verdict == verdict and not screen.is_grading


def editor(screen: DrillScreen) -> CodeEditor:
    return screen.query_one(CodeEditor)


def children() -> set[int]:
    """Processes that this one has started and that still run."""
    shown = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())],
        capture_output=True,
        text=True,
        check=False,
    )
    lines = (line.split(None, 1) for line in shown.stdout.splitlines())
    return {int(pid) for pid, command in lines if "grading.server" in command}


def memory_of(learner: Learner) -> object:
    with learner.database.read() as connection:
        return journal.memory_of_item(connection, GUID)


def due_for_it(learner: Learner) -> list[str]:
    return [item.guid for item in due_items(learner) if item.brought_back]


async def test_from_a_wrong_save_to_the_rating_and_back(
    empty_home: Home, open_app: OpenApp, clock: FixedClock
) -> None:
    async with open_app(empty_home) as pilot:
        await press(pilot, "d")
        assert "0 of 21 drills passed" in text_of(pilot)
        drills = pilot.app.screen.query_one("#drills", OptionList)
        drills.highlighted = drills.get_option_index("attention")
        await press(pilot, "enter")
        screen = pilot.app.screen
        assert isinstance(screen, DrillScreen)
        assert "Every query is compared with" in text_of(pilot)  # the brief comes first

        await press(pilot, "c")
        editor(screen).text = UNSCALED
        await press(pilot, "ctrl+s")
        await until(pilot, graded(screen, "wrong"))
        shown = text_of(pilot)
        assert "The scores are not divided by √d." in shown
        assert "“Scaling by 1/√d_k”   1 card due" in shown
        assert "The smallest input that shows it" in shown
        assert (empty_home.drills / "attention.py").read_text(encoding="utf-8") == UNSCALED
        ask = app_of(pilot).desk.ask
        assert len(await ask(due_for_it)) == 1

        await press(pilot, "c")
        editor(screen).text = RIGHT
        clock.advance(timedelta(minutes=3))
        await press(pilot, "ctrl+s")
        await until(pilot, graded(screen, "passed"))
        assert "✓ Passed" in text_of(pilot)

        await press(pilot, "r")
        assert isinstance(pilot.app.screen, RatingScreen)
        assert "after 1 failed submission" in text_of(pilot)
        await press(pilot, "enter")
        assert "1 of 21 drills passed" in text_of(pilot)
        after = await ask(memory_of)
        assert isinstance(after, Remembered)

        await press(pilot, "enter")  # and back: the rating, then the card
        await press(pilot, "u")
        assert "undone: good" in last_line(pilot)
        await press(pilot, "u")
        assert "undone: cards brought back" in last_line(pilot)
        assert not isinstance(await ask(memory_of), Remembered)
        assert await ask(due_for_it) == []


async def test_what_another_editor_saves_is_taken_in_and_graded(
    empty_home: Home, open_app: OpenApp
) -> None:
    async with open_app(empty_home, (160, 50)) as pilot:
        screen = await open_drill(pilot)
        editor(screen).text = "# mine\n"
        path = empty_home.drills / "attention.py"
        write_elsewhere(path, UNSCALED)
        await until(pilot, graded(screen, "wrong"))
        assert editor(screen).text == UNSCALED
        await press(pilot, "ctrl+z")
        assert editor(screen).text == "# mine\n"  # what was not saved is one undo away
        await press(pilot, "ctrl+y")

        path.unlink()
        await until(pilot, lambda: "the file is gone" in last_line(pilot))
        path.mkdir()
        await until(pilot, lambda: "a folder has the file's name" in last_line(pilot))
        await press(pilot, "ctrl+s")
        assert "folder" in text_of(pilot)
        path.rmdir()
        await press(pilot, "enter", "ctrl+s")
        await until(pilot, lambda: not screen.is_grading)
        assert path.read_text(encoding="utf-8") == UNSCALED


async def test_escape_ends_a_submission_that_never_ends(
    empty_home: Home, open_app: OpenApp
) -> None:
    async with open_app(empty_home) as pilot:
        screen = await open_drill(pilot)
        await press(pilot, "c")
        editor(screen).text = ENDLESS
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "grading …" in text_of(pilot))
        await press(pilot, "a", "b")  # keys are taken meanwhile
        assert editor(screen).text.startswith("ab")
        await press(pilot, "escape")
        assert not screen.is_grading
        assert "nothing was recorded" in last_line(pilot)
        editor(screen).text = RIGHT
        await press(pilot, "ctrl+s")
        await until(pilot, graded(screen, "passed"))


async def test_hints_history_solution_and_a_fresh_start(
    empty_home: Home, open_app: OpenApp
) -> None:
    async with open_app(empty_home) as pilot:
        screen = await open_drill(pilot)
        starter = editor(screen).text
        await press(pilot, "h")
        assert "hints 1/3" in text_of(pilot)
        await press(pilot, "c")
        editor(screen).text = UNSCALED
        await press(pilot, "ctrl+s")
        await until(pilot, graded(screen, "wrong"))
        await press(pilot, "n")
        assert editor(screen).text == starter
        assert "a fresh start" in last_line(pilot)
        await press(pilot, "escape", "y", "w")
        assert editor(screen).text == UNSCALED
        await press(pilot, "escape", "u")
        assert editor(screen).text == starter
        session, do = screen.session, app_of(pilot).desk.do
        await press(pilot, "s", "n")
        assert not await do(lambda: session.revealed)
        await press(pilot, "s", "y")
        assert await do(lambda: session.revealed)
        assert isinstance(pilot.app.screen, PageScreen)
        assert "def attention" in text_of(pilot)


async def test_leaving_keeps_what_was_written(empty_home: Home, open_app: OpenApp) -> None:
    async with open_app(empty_home) as pilot:
        screen = await open_drill(pilot)
        await press(pilot, "c")
        editor(screen).text = "# half"
        await press(pilot, "escape", "escape")
        assert not screen.is_attached
        path = empty_home.drills / "attention.py"
        assert path.read_text(encoding="utf-8") == "# half"
        again = await open_drill(pilot)
        editor(again).text = "# whole"
    assert path.read_text(encoding="utf-8") == "# whole"  # quitting is leaving too


async def test_the_learners_own_editor_is_given_the_file(
    empty_home: Home, open_app: OpenApp
) -> None:
    async with open_app(empty_home) as pilot:
        screen = await open_drill(pilot)
        commands: list[list[str]] = []

        def launch(app: object, command: list[str]) -> None:
            commands.append(command)
            Path(command[-1]).write_text(RIGHT, encoding="utf-8")

        app_of(pilot)._launcher = launch  # type: ignore[assignment]  # takes any app
        await app_of(pilot).desk.ask(lambda learner: learner.change_setting("editor", "ed -s"))
        await press(pilot, "e")
        await until(pilot, graded(screen, "passed"))
        assert commands == [["ed", "-s", str(empty_home.drills / "attention.py")]]


async def test_ten_drills_leave_no_process(empty_home: Home, open_app: OpenApp) -> None:
    names = sorted(path.name for path in (CONTENT / "attention" / "drills").iterdir())[:10]
    empty_home.drills.mkdir(parents=True)
    for name in names[2:]:  # the two others start with torch, which takes longer
        (empty_home.drills / f"{name}.py").write_text("# backend: numpy\n", encoding="utf-8")
    async with open_app(empty_home) as pilot:
        for name in names:
            screen = await open_drill(pilot, name)
            await until(pilot, lambda: bool(children()))
            await press(pilot, "escape")
            await until(pilot, lambda screen=screen: not screen.is_attached)  # type: ignore[misc]
        await until(pilot, lambda: not children())
    assert not children()


async def test_python_is_coloured(empty_home: Home, open_app: OpenApp) -> None:
    async with open_app(empty_home) as pilot:
        screen = await open_drill(pilot)
        screen.open_page(Page.CODE)
        await settle(pilot)
        code = editor(screen)
        assert code.is_syntax_aware
        lines = [code.get_line(row) for row in range(code.document.line_count)]
        row = next(i for i, line in enumerate(lines) if line.plain.startswith("def "))
        styles = {seg.text: seg.style for seg in code.render_line(row)}
        coloured = {text: style for text, style in styles.items() if text.strip() == "def"}
        plain = {text: style for text, style in styles.items() if text.strip() == "("}
        assert coloured
        assert next(iter(coloured.values())) != next(iter(plain.values()), None)
