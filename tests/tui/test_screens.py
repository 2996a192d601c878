"""Cards, Concepts, Notes, Stats, Settings, Help and the palette, key by key."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from studyattn.home import Home
from studyattn.study.clock import FixedClock
from studyattn.tui.actions import (
    ACTIONS,
    EVERYWHERE,
    FIND,
    GO,
    actions_of,
    read_actions,
)
from studyattn.tui.app import StudyApp
from studyattn.tui.dialogs.editor import EditorScreen
from studyattn.tui.screens.base import StudyScreen
from studyattn.tui.screens.concept import ConceptScreen
from studyattn.tui.screens.help import HelpScreen
from studyattn.tui.screens.today import TodayScreen
from studyattn.tui.services import SCREENS
from tests.tui.conftest import OpenApp, app_of, last_line, press, settle, text_of
from tests.tui.test_import_screen import write_path


async def test_a_card_that_is_due_says_now(
    home: Home, clock: FixedClock, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "3", "escape", "b")
        rows = text_of(pilot).splitlines()
        assert any(row.endswith("today 12:10") for row in rows)
        assert any(row.endswith("        new") for row in rows)
        clock.advance(timedelta(minutes=10))
        await press(pilot, "escape", "b")
        assert any(row.endswith(" now") for row in text_of(pilot).splitlines())


async def test_cards_are_searched_as_one_types(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "b")
        assert "7 items" in text_of(pilot)
        await press(pilot, *"variance")
        assert "How large is the variance" in text_of(pilot)
        assert "What are the steps" not in text_of(pilot)
        await press(pilot, *"xyz")
        assert "0 items" in text_of(pilot)
        assert "No results." in text_of(pilot)
        await press(pilot, "enter", "enter")
        assert "0 items" in text_of(pilot)
        await press(pilot, "slash", "escape")
        assert "7 items" in text_of(pilot)


async def test_a_notice_does_not_outlive_a_visit_elsewhere(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "c", "u")
        assert "no move to undo" in last_line(pilot)
        await press(pilot, "enter", "escape")
        assert "no move to undo" not in last_line(pilot)


async def test_about_a_card_tells_where_to_read_more(
    home: Home, tmp_path: Path, open_app: OpenApp
) -> None:
    document = tmp_path / "notes.md"
    document.write_text(
        "# Notes\n\n## Questions\n\n### 1. What is low rank?\n\nFew directions.\n\n"
        "**Learn more:**\n- [A paper on it](https://example.org/low-rank)\n"
    )
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(document))
        await press(pilot, "enter", "ctrl+s", "space", "i")
        shown = text_of(pilot)
        assert "A paper on it" in shown
        assert "https://example.org/low-rank" in shown
        assert "{" not in shown


async def test_g_opens_the_explanation_of_the_chosen_card(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "b", "enter")
        before = text_of(pilot)
        await press(pilot, "g")
        assert isinstance(pilot.app.screen, ConceptScreen)
        assert "Softmax turns scores into weights" in text_of(pilot)
        await press(pilot, "escape")
        assert text_of(pilot) == before


async def test_cards_are_marked_suspended_edited_and_opened(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "b", "enter", "asterisk")
        assert "★" in text_of(pilot)
        await press(pilot, "at")
        assert "suspended" in text_of(pilot)
        await press(pilot, "at")
        assert "in reviews again" in last_line(pilot)
        await press(pilot, "e", *"So: ", "ctrl+s")
        assert "So: Why do the weights" in text_of(pilot)
        await press(pilot, "enter")
        assert "a weighted mean needs weights" in text_of(pilot)


async def test_wide_terminals_show_the_card_beside_the_list(home: Home, open_app: OpenApp) -> None:
    async with open_app(home, size=(160, 50)) as pilot:
        await press(pilot, "b")
        assert "a weighted mean needs weights" in text_of(pilot)


async def test_rows_of_a_small_terminal_are_not_cut(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "b", "enter")
        rows = [line for line in text_of(pilot).splitlines() if line.rstrip().endswith("new")]
        assert len(rows) == 7, text_of(pilot)


async def test_stats_before_and_after_the_first_review(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "s")
        assert "No reviews yet" in text_of(pilot)
        await press(pilot, "escape", "space", "space", "3", "escape", "s")
        assert "Streak" in text_of(pilot)


async def test_settings_are_changed_refused_and_reset(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "comma", "enter", "ctrl+a", "ctrl+k", *"25", "enter")
        assert "saved" in last_line(pilot)
        assert "25" in text_of(pilot)
        await press(pilot, "enter", "ctrl+a", "ctrl+k", *"many", "enter")
        assert "✗ Invalid value 'many' for minutes_per_day: expected" in text_of(pilot)
        await press(pilot, "enter", "delete")
        assert "25" not in text_of(pilot)


async def test_a_setting_of_the_config_file_is_changed_there_only(
    home: Home, open_app: OpenApp, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("c") / "config.toml"  # short: its path is on one line
    file.write_text("minutes_per_day = 33\n")
    async with open_app(Home(home.root, config=file), size=(160, 50)) as pilot:
        await press(pilot, "comma")
        assert "config.toml:1" in text_of(pilot)
        await press(pilot, "enter")
        assert "change it there" in last_line(pilot)
        await press(pilot, "delete")
        assert "33" in text_of(pilot)


async def test_every_action_stands_in_help(home: Home, open_app: OpenApp) -> None:
    async with open_app(home, size=(120, 700)) as pilot:
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        shown = text_of(pilot)
        assert [action.title for action in ACTIONS if action.title not in shown] == []
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, TodayScreen)


async def test_the_palette_has_every_action_of_the_screen(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        for key, place in (("c", "Concepts"), ("comma", "Settings")):
            await press(pilot, key)
            titles = {command.title for command in pilot.app.get_system_commands(pilot.app.screen)}
            wanted = actions_of(place, EVERYWHERE, FIND, GO)
            assert titles == {action.title for action in wanted}
            await press(pilot, "escape")


async def test_the_palette_offers_nothing_twice(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        app = app_of(pilot)
        offered = [(each.title, each.help) for each in app.get_system_commands(app.screen)]
        assert len(offered) == len(set(offered))


async def test_the_palette_runs_what_is_chosen(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "ctrl+p")
        await pilot.press(*"statist")
        await pilot.pause(0.3)
        await press(pilot, "enter")
        await settle(pilot)
        assert "No reviews yet" in text_of(pilot)


def test_every_action_of_the_registry_can_be_done() -> None:
    """Each names a method of its screen or of the app."""
    classes = [entry.load() for entry in SCREENS.values()]
    screens = {each.SCOPE: each for each in classes if issubclass(each, StudyScreen)}
    owners: dict[str, type[object]] = {**screens, "Editing text": EditorScreen}
    for action in ACTIONS:
        where, _, call = action.call.partition(".")
        owner = StudyApp if where == "app" else owners[action.scope]
        assert hasattr(owner, f"action_{call.partition('(')[0]}"), action.id


def test_each_line_of_the_table_of_actions_is_under_the_heading_of_a_scope() -> None:
    classes = [entry.load() for entry in SCREENS.values()]
    screens = {each.SCOPE for each in classes if issubclass(each, StudyScreen)}
    others = {"Everywhere", "From every screen", "Go to", "Editing text"}
    assert {action.scope for action in ACTIONS} == screens | others
    names = [action.id for action in ACTIONS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    "text", ["a | k | app.a | A | a", "[Today]\na | | app.a | A | a", "[Today]\na | k | app.a"]
)
def test_a_line_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"a \||unpack"):
        list(read_actions(text))
