"""Today: first start, what is due, nothing due, suggestions, and the keys that lead on."""

from __future__ import annotations

from datetime import timedelta

from studyattn.home import Home
from studyattn.study.clock import FixedClock
from studyattn.tui.screens.importing import ImportScreen
from tests.tui.conftest import OpenApp, app_of, last_line, press, settle, text_of


async def test_a_first_start_offers_four_ways_to_begin(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        shown = text_of(pilot)
        assert "start with the built-in pack" in shown
        assert "you know some of it?" in shown
        assert "import your own notes" in shown
        assert "look around" in shown
        assert "space start" in last_line(pilot)
        assert "? keys" in last_line(pilot)


async def test_without_a_pack_a_first_start_offers_the_import(
    empty_home: Home, open_app: OpenApp
) -> None:
    async with open_app(empty_home) as pilot:
        assert "built-in" not in text_of(pilot)
        await press(pilot, "i")
        assert isinstance(pilot.app.screen, ImportScreen)


async def test_after_a_session_today_says_what_comes(
    home: Home, clock: FixedClock, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "4", "escape")
        shown = text_of(pilot)
        assert "day 1" in shown
        assert "Next days" in shown
        clock.advance(timedelta(days=30))
        await press(pilot, "c", "escape")
        assert "1 card " in text_of(pilot).split("Later today")[0], text_of(pilot)


async def test_a_day_without_time_says_that_new_cards_wait(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "4", "escape")
        await app_of(pilot).database.run_with_profile(
            lambda profile: profile.change_setting("minutes_per_day", "1")
        )
        await press(pilot, "c", "escape")
        assert "for a day with more time" in text_of(pilot)


async def test_undo_on_today_takes_back_the_last_review(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "3", "escape", "u")
        assert "undone: good" in last_line(pilot)
        await press(pilot, "u")
        assert "nothing to undo" in last_line(pilot)


async def test_escape_on_today_says_how_to_leave(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await pilot.press("escape")
        await settle(pilot)
        assert "q quits" in last_line(pilot)
        await pilot.press("q")
        assert pilot.app.return_code == 0


async def test_a_narrow_today_shows_as_many_days_as_fit(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "3", "escape")
        assert "Sa    Su    Mo    Tu    We    Th    Fr" in text_of(pilot)
        await pilot.resize_terminal(60, 20)
        await settle(pilot)
        days = next(line for line in text_of(pilot).splitlines() if "Next days" in line)
        assert days.endswith("Sa    Su    Mo    Tu    We    Th")


async def test_a_small_terminal_gives_a_dialog_all_of_its_columns(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home, size=(60, 20)) as pilot:
        await press(pilot, "space", "e")
        assert "esc don't save" in text_of(pilot)
        assert max(len(line) for line in text_of(pilot).splitlines()) == 60


async def test_answers_of_a_clock_that_was_ahead_are_told(
    home: Home, clock: FixedClock, open_app: OpenApp
) -> None:
    clock.advance(timedelta(days=365))
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "3", "escape")
        assert "dated after now" not in text_of(pilot)
        clock.advance(timedelta(days=-365))
        await press(pilot, "c", "escape")
        assert "! 1 answer is dated after now, up to 2027-11-21: the clock was" in text_of(pilot)
