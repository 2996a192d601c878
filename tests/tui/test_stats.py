"""The pages of statistics on a small and a large terminal, over chosen days and items."""

from __future__ import annotations

import threading

from textual.widgets import Static

from studyattn.home import Home
from tests.tui.conftest import OpenApp, app_of, last_line, press, settle, text_of


async def test_every_page_opens_by_its_number_and_fits_80_columns(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "3", "escape", "s")
        assert "Streak" in text_of(pilot)
        shown = {}
        for key, sign in (
            ("2", "Reviews per day"),
            ("3", "Answers by rating"),
            ("4", "No retention data yet"),
            ("5", "No forecasts to judge yet"),
            ("6", "Due next"),
            ("7", "Items by phase"),
            ("8", "No drill attempts"),
            ("9", "Held and fading"),
        ):
            await press(pilot, key)
            shown[key] = text_of(pilot)
            assert sign in shown[key], shown[key]
        await press(pilot, "tab")
        assert "Streak" in text_of(pilot)
        await press(pilot, "shift+tab")
        assert "Held and fading" in text_of(pilot)


async def test_a_card_has_its_history_after_its_answer_and_where_it_is_found(
    home: Home, open_app: OpenApp
) -> None:
    async def drawn() -> str:
        while "Reading" in (told := str(pilot.app.screen.query_one("#drawing", Static).content)):
            await pilot.pause(0.01)
        return told

    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "i")
        told = await drawn()
        assert "Guid" in told
        assert "Never reviewed." in told
        await press(pilot, "escape", "3", "escape", "b", *"weights", "enter", "enter", "i")
        told = await drawn()
        assert "Reviewed 1 time, forgotten 0 times." in told
        assert "Forgetting curve" in told
        await press(pilot, "i")
        assert "Guid" not in text_of(pilot)
        await press(pilot, "escape", "escape")


async def test_days_and_items_are_chosen(home: Home, open_app: OpenApp) -> None:
    async with open_app(home, size=(160, 50)) as pilot:
        await press(pilot, "space", "space", "3", "escape", "s")
        lines = text_of(pilot).splitlines()
        assert any("Minutes per day" in line for line in lines)
        assert sum("│" in line for line in lines) > 12, "a chart takes the height that is left"
        await press(pilot, "2")
        first = text_of(pilot).splitlines()[0]
        assert first.endswith("30 days")
        row = next(line for line in text_of(pilot).splitlines() if "Reviews per day" in line)
        beside = row.partition("Reviews per day")[2].strip(" │")
        assert beside, "two columns where there is room"
        await press(pilot, "plus")
        assert text_of(pilot).splitlines()[0].endswith("90 days")
        await press(pilot, "slash", *"drill", "enter")
        assert "Kind: drill" in text_of(pilot).splitlines()[0]
        assert "No reviews in this period" in text_of(pilot)
        await press(pilot, "F")
        assert "too few reviews" in last_line(pilot)


async def test_keys_act_while_a_page_is_still_read(home: Home, open_app: OpenApp) -> None:
    enough = threading.Event()
    async with open_app(home) as pilot:
        await press(pilot, "s")
        waiting = pilot.app.run_worker(app_of(pilot).database.run(enough.wait))
        try:
            for key, title, doing in (
                ("4", "Stats: Retention", "Adding up …"),
                ("5", "Stats: Calibration", "Reading the log …"),
                ("plus", "90 days", "Reading the log …"),
            ):
                await pilot.press(key)
                await pilot.pause()
                assert title in text_of(pilot).splitlines()[0]
                assert doing in text_of(pilot)
        finally:
            enough.set()
        await waiting.wait()
        await settle(pilot)
        assert "No forecasts to judge yet" in text_of(pilot)
