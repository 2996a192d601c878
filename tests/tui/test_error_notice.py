"""What goes wrong is told in a modal, bugs are logged, and the app goes on or ends well."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from textual.css.query import NoMatches
from textual.widgets import Static

from studyattn.errors import DocumentError
from studyattn.home import Home
from studyattn.store.backup import make
from studyattn.study.clock import FixedClock
from studyattn.tui.app import StudyApp
from studyattn.tui.dialogs.error import ErrorScreen, describe
from studyattn.tui.screens.path import PathScreen
from studyattn.tui.screens.today import TodayScreen
from studyattn.tui.theme import Look
from studyattn.tui.widgets.header_footer import KeyLine
from tests.tui.conftest import OpenApp, app_of, last_line, press, settle, text_of

NO_DATABASE = b"this is no database, whatever its name says" * 100


def test_an_error_for_the_learner_says_what_where_and_what_to_do(tmp_path: Path) -> None:
    error = DocumentError("it is empty", where="notes.md:1", advice="Write something")
    trouble = describe(error, tmp_path / "errors.log", datetime.now(UTC))
    assert trouble.line == "notes.md:1: It is empty. Write something."
    assert not (tmp_path / "errors.log").exists()


def test_a_bug_is_written_down_and_told_in_one_line(tmp_path: Path) -> None:
    log = tmp_path / "home" / "errors.log"
    trouble = describe(ZeroDivisionError("division by zero"), log, datetime.now(UTC))
    assert "ZeroDivisionError: division by zero" in trouble.what
    assert "Every answer" in trouble.advice
    assert str(log) in trouble.advice
    assert "ZeroDivisionError" in log.read_text(encoding="utf-8")


def test_a_log_that_cannot_be_written_is_no_second_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    log = tmp_path / "file" / "errors.log"
    assert "could not be written" in describe(ValueError(), log, datetime.now(UTC)).advice


async def test_a_home_that_cannot_be_opened_is_a_modal(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.root.write_text("a file where the folder should be", encoding="utf-8")
    app = StudyApp(home, FixedClock(datetime(2026, 11, 21, tzinfo=UTC)), Look.DARK)
    async with app.run_test() as pilot:
        await settle(pilot)
        shown = text_of(pilot)
        assert "✗ This did not work" in shown
        assert "Traceback" not in shown
        await press(pilot, "enter")
        assert "nothing is lost" in text_of(pilot)
        assert "^r try again" in last_line(pilot)
        home.root.unlink()
        await press(pilot, "ctrl+r")
        assert "import your own notes" in text_of(pilot)
    assert not app.error_log.exists()


async def test_a_damaged_database_without_a_backup_is_left_alone(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.root.mkdir()
    home.database.write_bytes(NO_DATABASE)
    app = StudyApp(home, FixedClock(datetime(2026, 11, 21, tzinfo=UTC)), Look.DARK)
    async with app.run_test() as pilot:
        await settle(pilot)
        assert "✗ The database is damaged" in text_of(pilot)
        assert "No good backup" in text_of(pilot)
        assert "^r recover" not in last_line(pilot)
        assert "q quit" in last_line(pilot)
        await press(pilot, "ctrl+r")  # nothing to restore: it looks again
        assert "✗ The database is damaged" in text_of(pilot)
    assert home.database.read_bytes() == NO_DATABASE
    assert not app.error_log.exists()


async def test_a_damaged_database_is_recovered_after_showing_what_is_taken_and_lost(
    home: Home, clock: FixedClock, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "3", "escape")
        make(home, now=clock.now())
        await press(pilot, "space", "space", "3", "escape")
    clock.advance(timedelta(hours=1))
    data = bytearray(home.database.read_bytes())
    data[:4096] = bytes(4096)  # the schema, and with it every way to the pages of the tables
    home.database.write_bytes(data)
    (home.backups / "studyattn-20261121T113000Z-manual.db").write_bytes(NO_DATABASE)
    async with open_app(home) as pilot:
        shown = text_of(pilot)
        assert "✗ The database is damaged" in shown
        assert "studyattn-20261121T110000Z-manual.db" in shown
        assert re.search(r"answers and undone answers +2 +0 +none", shown), shown
        assert "^r recover" in last_line(pilot)
        assert home.database.read_bytes() == data
        await press(pilot, "ctrl+r")
        assert "recovered; the damaged file is studyattn.db.damaged-" in last_line(pilot)
        assert "day 1" in text_of(pilot)
        await press(pilot, "u")
        assert "undone: good" in last_line(pilot)
        await press(pilot, "u")
        assert "undone: good" in last_line(pilot)
    assert [path.read_bytes() for path in home.root.glob("*.damaged-*")] == [data]


async def test_a_backup_that_holds_nothing_yet_is_offered_too(
    home: Home, open_app: OpenApp
) -> None:
    """The backup of a first day is made before the packs are read."""
    async with open_app(home) as pilot:
        await settle(pilot)
    assert len(list(home.backups.iterdir())) == 1
    home.database.write_bytes(b"")
    async with open_app(home) as pilot:
        assert "newest good backup" in " ".join(text_of(pilot).split())
        assert "^r recover" in last_line(pilot)
        await press(pilot, "ctrl+r")
        assert "The database is damaged" not in text_of(pilot)


async def test_a_pack_that_cannot_be_read_is_told_on_today(home: Home, open_app: OpenApp) -> None:
    bad = home.root / "packs" / "bad"
    bad.mkdir()
    (bad / "pack.toml").write_text("id = ", encoding="utf-8")
    async with open_app(home) as pilot:
        assert "! " in text_of(pilot).splitlines()[2]
        assert "start learning" in text_of(pilot)
        await press(pilot, "space", "space", "3", "escape")
        line = text_of(pilot).splitlines()[2]
        assert line.strip().startswith("! ")
        assert len(line) <= 80
        assert "Forecast" in text_of(pilot)


async def test_a_bug_in_an_action_leaves_the_app_usable(
    home: Home, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = StudyApp(home, clock, Look.DARK)
    async with app.run_test() as pilot:
        await settle(pilot)

        def fail(_: object) -> None:
            raise RuntimeError("boom")

        monkeypatch.setattr(TodayScreen, "action_in_words", fail)
        await press(pilot, "w")
        assert "RuntimeError: boom" in text_of(pilot)
        await press(pilot, "enter", "c")
        assert "Concepts" in text_of(pilot)
    assert "boom" in app.error_log.read_text(encoding="utf-8")


async def test_what_outlives_its_screen_is_no_error(
    home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "p")
        path = pilot.app.screen
        assert isinstance(path, PathScreen)
        missed: list[str] = []
        gone = asyncio.Event()

        def miss(what: str) -> None:
            try:
                path.show_hints()
            except NoMatches:
                missed.append(what)
                raise

        async def outlive() -> None:
            await gone.wait()
            miss("work")

        async def unmount(
            _: PathScreen,
        ) -> None:  # widgets go first
            await path.query(KeyLine).remove()
            path.call_next(miss, "a timer")
            gone.set()
            await asyncio.sleep(0.05)

        path.do(outlive)
        monkeypatch.setattr(PathScreen, "on_unmount", unmount, raising=False)
        app_of(pilot).go("today")
        await settle(pilot)
        assert isinstance(pilot.app.screen, TodayScreen)
        assert set(missed) == {"work", "a timer"}
        assert not app_of(pilot).error_log.exists()


async def test_a_widget_that_breaks_is_replaced_by_a_fresh_today(
    home: Home, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = StudyApp(home, clock, Look.DARK)
    async with app.run_test() as pilot:
        await settle(pilot)
        broken = app.screen.query_one("#page", Static)

        def fail() -> None:
            raise RuntimeError("broken widget")

        broken.call_later(fail)
        while not isinstance(app.screen, ErrorScreen):  # noqa: ASYNC110 - no event says so
            await asyncio.sleep(0.01)  # a pilot would wait for the broken widget
        await settle(pilot)
        await press(pilot, "enter")
        assert "start learning" in text_of(pilot)
        await press(pilot, "space")
        assert "7 new" in text_of(pilot)


async def test_what_breaks_again_and_again_ends_the_app_with_one_line(
    home: Home, clock: FixedClock
) -> None:
    app = StudyApp(home, clock, Look.DARK)
    async with app.run_test() as pilot:
        await settle(pilot)
        for _ in range(4):
            app._handle_exception(RuntimeError("again"))
        await pilot.pause()
    assert app.return_code == 1
    assert app.last_words is not None
    assert "\n" not in app.last_words.line
