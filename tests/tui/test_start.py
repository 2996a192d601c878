"""What may be loaded before the first frame: nothing that takes long."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from studyattn import __main__ as program
from studyattn.address import ServerAddress
from studyattn.home import Home
from studyattn.study import statistics
from studyattn.study.clock import FixedClock
from studyattn.study.profile import open_profile
from studyattn.tui.app import StudyApp
from studyattn.tui.theme import Look
from tests.databases import environment_of
from tests.tui.conftest import OpenApp, settle, text_of

if TYPE_CHECKING:
    from studyattn.study.statistics.ahead import Ahead
    from studyattn.study.statistics.day import Today

_PROBE = """
import sys
from pathlib import Path
from studyattn.home import find_home
from studyattn.tui.app import StudyApp

HEAVY = ("torch", "sqlalchemy", "psycopg", "alembic", "numpy", "rich.markdown", "pygments",
         "markdown_it", "studyattn.memory.scheduler", "studyattn.study.review.views",
         "studyattn.tui.dialogs.error")
app = StudyApp(find_home(Path(sys.argv[1])))
opened = app.database.open
told = []

def loaded():
    return [name for name in HEAVY if name in sys.modules]

async def open_after_the_first_frame():
    print("frame:", *loaded(), file=sys.__stdout__)
    await opened()
    afterwards = [name for name in loaded() if name in ("torch", "sqlalchemy", "psycopg")]
    print("open:", *afterwards, file=sys.__stdout__)
    told.append(True)

async def look(pilot):
    while not told:
        await pilot.pause(0.02)
    app.exit()

app.database.open = open_after_the_first_frame
app.run(headless=True, size=(80, 24), auto_pilot=look)
"""


def test_nothing_heavy_is_loaded_before_the_first_frame(
    tmp_path: Path, either: ServerAddress | None
) -> None:
    """In a process of its own: only `sys.modules` shows that a deferral defers."""
    home = Home(tmp_path / "home", either)
    ran = subprocess.run(
        [sys.executable, "-c", _PROBE, str(home.root)],
        env={**os.environ, **environment_of(home)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    opened = "open:" if either is None else "open: psycopg"
    assert ran.stdout.split("\n")[:2] == ["frame:", opened], ran.stderr


@pytest.fixture
def collector_on_again() -> Iterator[None]:
    """The test switches the garbage collector off."""
    yield
    gc.enable()


@pytest.mark.usefixtures("collector_on_again")
async def test_garbage_is_collected_from_the_first_screen_on(
    home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.__main__._hindrance", lambda: "")
    monkeypatch.setattr("studyattn.study.statistics.ahead.read_ahead", lambda _home: None)
    monkeypatch.setattr("studyattn.tui.app.run", lambda _home, _ahead: int(gc.isenabled()))
    assert program.start_app(home) == 0
    async with open_app(home):
        assert gc.isenabled()


@pytest.mark.usefixtures("collector_on_again")
async def test_garbage_is_collected_too_where_the_first_screen_fails(
    home: Home, open_app: OpenApp
) -> None:
    home.root.mkdir(exist_ok=True)
    home.database.write_bytes(b"no database" * 1000)
    gc.disable()
    async with open_app(home):
        assert gc.isenabled()


class _ReadAhead:
    """Numbers that another process reads, without that process."""

    def __init__(self, numbers: Today, *, there: bool) -> None:
        self._numbers = numbers
        self._there = there
        self.waited_in = ""

    def is_there(self) -> bool:
        return self._there

    def take(self) -> Today:
        self.waited_in = threading.current_thread().name
        return self._numbers


@pytest.mark.parametrize(("there", "thread"), [(True, "MainThread"), (False, "database_0")])
async def test_numbers_that_were_read_meanwhile_are_shown_before_the_home_is_open(
    home: Home, clock: FixedClock, monkeypatch: pytest.MonkeyPatch, there: bool, thread: str
) -> None:
    with open_profile(home, clock) as profile:
        numbers = statistics.today.numbers(profile)._replace(later=87, next_due=clock.now())
    ahead = _ReadAhead(numbers, there=there)
    app = StudyApp(home, clock, Look.DARK, ahead=cast("Ahead", ahead))
    shown: list[str] = []
    opened = app.database.open

    async def look_first() -> None:
        shown.append(text_of(pilot))
        await opened()

    monkeypatch.setattr(app.database, "open", look_first)
    async with app.run_test() as pilot:
        await settle(pilot)
        assert "87 cards" not in text_of(pilot)  # there are none later today
    assert "87 cards" in shown[0]
    assert "none" not in shown[0]  # which concepts there are is not known yet
    assert ahead.waited_in == thread
