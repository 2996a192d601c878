"""The last line: the keys that do something now, each under the name that it has now."""

from __future__ import annotations

from datetime import timedelta

import pytest
from textual.widgets import Input

from studyattn.home import Home
from studyattn.study.clock import FixedClock
from studyattn.tui.dialogs.dialog import PickScreen
from studyattn.tui.screens.concepts import ConceptList
from studyattn.tui.screens.drill import DrillScreen
from studyattn.tui.screens.drills import DrillsScreen
from studyattn.tui.screens.help import HelpScreen
from tests.tui.conftest import OpenApp, Typed, last_line, press, settle, text_of
from tests.tui.drills import CONTENT, open_drill

MOST = 12
"""Answers within which the small pack is done for the day."""


async def test_the_key_to_all_keys_is_f1_while_one_writes(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        assert last_line(pilot).endswith("? keys")
        await press(pilot, "n", "n")
        assert last_line(pilot).endswith("f1 keys")
        await press(pilot, "f1")
        assert isinstance(pilot.app.screen, HelpScreen)
        await press(pilot, "escape", "escape", "b")
        assert last_line(pilot).endswith("f1 keys")
        await press(pilot, "enter")
        assert last_line(pilot).endswith("? keys")


async def test_keys_below_a_dialog_are_not_shown(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "c", "m")
        assert last_line(pilot).strip() == ""
        await press(pilot, "escape")
        assert last_line(pilot).endswith("? keys")


async def test_today_offers_a_start_only_when_something_is_due(
    home: Home, clock: FixedClock, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        assert "space start" in last_line(pilot)
        await press(pilot, "space")
        for _ in range(MOST):
            if "Done for now" not in text_of(pilot):
                await press(pilot, "enter", "4")
        assert "Done for now" in text_of(pilot)
        await press(pilot, "escape")
        assert "nothing due" in text_of(pilot)
        assert "space start" not in last_line(pilot)
        assert "d drills" in last_line(pilot)
        clock.advance(timedelta(days=60))
        await press(pilot, "c", "escape")
        assert "space start" in last_line(pilot)


@pytest.mark.parametrize(
    ("keys", "place"), [(["c", "slash"], "part of a title"), (["b"], "is:marked")]
)
async def test_down_leads_from_a_filter_to_what_it_found(
    home: Home, open_app: OpenApp, keys: list[str], place: str
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, *keys)
        assert place in text_of(pilot)
        assert "↓" in last_line(pilot)
        await press(pilot, Typed("s"), "down")
        assert not isinstance(pilot.app.focused, Input)
        assert "enter open" in last_line(pilot)


async def test_a_filter_without_words_goes_when_it_is_left(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "c", "slash", "down")
        assert isinstance(pilot.app.focused, ConceptList)
        assert "part of a title" not in text_of(pilot)


async def test_only_drills_with_a_pattern_offer_it(
    empty_home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)
    async with open_app(empty_home, (100, 30)) as pilot:
        await press(pilot, "d")
        assert "a attention" in last_line(pilot)
        while "parameter" not in chosen(pilot.app.screen):
            await press(pilot, "down")
        assert "a attention" not in last_line(pilot)
        await press(pilot, "a")
        assert "no attention pattern" in last_line(pilot)
        await open_drill(pilot, "parameter-count")
        assert "a pattern" not in last_line(pilot)
        await open_drill(pilot, "attention")
        await press(pilot, "2")
        assert "a pattern" in last_line(pilot)


async def test_a_drill_among_the_cards_is_opened_and_not_edited(
    empty_home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)
    async with open_app(empty_home) as pilot:
        await press(pilot, "b", Typed("is:drill kv-cache"), "down")
        assert "enter open the drill" in last_line(pilot)
        assert "edit" not in last_line(pilot)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, DrillScreen)
        assert "Decoding with a key-value cache" in text_of(pilot)


def chosen(screen: object) -> str:
    """The id of the drill that the list has chosen."""
    assert isinstance(screen, DrillsScreen)
    return screen.chosen_key or ""


async def test_a_refused_setting_is_asked_again_with_what_was_written(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "comma", "enter", "ctrl+a", "ctrl+k", Typed("many"), "enter")
        assert "✗ Invalid value 'many' for minutes_per_day" in text_of(pilot)
        field = pilot.app.focused
        assert isinstance(field, Input)
        assert field.value == "many"
        await press(pilot, "ctrl+a", "ctrl+k", Typed("25"), "enter")
        assert "saved" in last_line(pilot)
        assert "25" in text_of(pilot)


async def test_the_palette_shows_explanations_whole(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await pilot.press("ctrl+p")
        await pilot.pause(0.3)
        await pilot.press(*"import doc")
        await pilot.pause(0.5)
        shown = " ".join(text_of(pilot).split())
        assert "with a preview first." in shown


async def test_nothing_is_offered_where_nothing_is(empty_home: Home, open_app: OpenApp) -> None:
    async with open_app(empty_home) as pilot:
        await press(pilot, "d")
        assert "No drills yet" in text_of(pilot)
        assert "open" not in last_line(pilot)
        await press(pilot, "enter", "x", "a", "escape", "b", "down")
        assert "edit" not in last_line(pilot)
        assert "open" not in last_line(pilot)
        await press(pilot, "e", "enter", "asterisk", "at", "x")
        assert "No cards yet" in text_of(pilot)


async def test_a_dialog_with_a_long_list_keeps_its_keys_in_sight(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        choices = {str(number): f"Choice {number}" for number in range(40)}
        pilot.app.push_screen(PickScreen("Which?", choices, "Because there are so many."))
        await settle(pilot)
        assert "enter select   esc cancel" in text_of(pilot)
        await pilot.resize_terminal(160, 50)
        await settle(pilot)
        assert "Choice 18" in text_of(pilot)


async def test_the_way_back_stands_on_the_last_line_of_every_size(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "c", "enter")
        for columns in (80, 60, 40):
            await pilot.resize_terminal(columns, 20)
            await settle(pilot)
            assert "esc back" in last_line(pilot)
            assert last_line(pilot).endswith("? keys")
            assert len(last_line(pilot)) <= columns
        await pilot.resize_terminal(12, 10)  # no room for any hint
        await settle(pilot)
        assert "esc" not in last_line(pilot)


async def test_at_most_seven_keys_are_shown_however_wide(home: Home, open_app: OpenApp) -> None:
    async with open_app(home, (200, 40)) as pilot:
        for keys in ((), ("b", "down"), ("c", "enter"), ("space",)):
            await press(pilot, *keys)
            shown = [hint for hint in last_line(pilot).split("   ") if hint.strip()]
            assert 4 <= len(shown) <= 7, shown
            assert shown[-1].strip() == "? keys"
            await press(pilot, "escape", "escape", "escape")
