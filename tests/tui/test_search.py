"""Search in the app: from every screen, while one types, and on to what was found."""

from __future__ import annotations

from functools import partial

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from studyattn.home import Home
from studyattn.study.notes.notes import add_note
from studyattn.tui.dialogs.dialog import PageScreen
from studyattn.tui.screens.concept import ConceptScreen
from studyattn.tui.screens.note import NoteScreen
from studyattn.tui.screens.search import SearchScreen
from studyattn.tui.screens.today import TodayScreen
from tests.tui.conftest import (
    OpenApp,
    Typed,
    app_of,
    last_line,
    press,
    settle,
    text_of,
    until_shown,
)


def screen_of(pilot: Pilot[None]) -> Screen[object]:
    """The screen that is open now, whatever it was a moment ago."""
    return pilot.app.screen


async def test_what_is_typed_finds_and_enter_goes_there(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await app_of(pilot).database.run_with_profile(
            lambda profile: add_note(profile, "Weights of a softmax")
        )
        await press(pilot, "slash")
        assert "Weights of a softmax" in text_of(pilot)  # what was changed last is offered
        await press(pilot, Typed("softm"))
        rows = [line.split() for line in text_of(pilot).splitlines()]
        assert ["concept", "Softmax"] in rows
        assert ["note", "Weights", "of", "a", "softmax"] in rows
        await press(pilot, "enter")
        assert isinstance(screen_of(pilot), ConceptScreen)
        await press(pilot, "escape")
        assert isinstance(screen_of(pilot), SearchScreen)
        await press(pilot, Typed(" of a"), "enter")
        assert isinstance(screen_of(pilot), NoteScreen)
        await press(pilot, "escape", *["backspace"] * 12, Typed("variance"), "enter")
        assert isinstance(screen_of(pilot), PageScreen)
        await press(pilot, "escape", "escape")
        assert isinstance(screen_of(pilot), TodayScreen)


async def test_a_result_and_an_opened_card_lead_to_their_explanation_and_back(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "slash", Typed("length 64"))
        before = text_of(pilot)
        await press(pilot, "ctrl+g")
        assert isinstance(screen_of(pilot), ConceptScreen)
        assert "The scores are divided by" in text_of(pilot)
        await press(pilot, "escape")
        assert text_of(pilot) == before
        await press(pilot, "enter")
        assert isinstance(screen_of(pilot), PageScreen)
        page = text_of(pilot)
        await press(pilot, "g")
        assert isinstance(screen_of(pilot), ConceptScreen)
        await press(pilot, "escape")
        assert text_of(pilot) == page


async def test_a_note_about_nothing_has_no_explanation(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await app_of(pilot).database.run_with_profile(
            lambda profile: add_note(profile, "Something of its own")
        )
        await press(pilot, "slash", Typed("something of its"), "ctrl+g")
        assert isinstance(screen_of(pilot), SearchScreen)
        assert "its concept has no explanation" in last_line(pilot)


async def test_the_arrows_choose_while_one_types(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        for word in ("one", "two"):
            await app_of(pilot).database.run_with_profile(
                partial(add_note, body=f"{word} needle", title=word)
            )
        await press(pilot, "slash", Typed("needle"), "down", "enter")
        second = app_of(pilot).screen
        assert isinstance(second, NoteScreen)
        await press(pilot, "escape", "down", "up", "enter")
        first = app_of(pilot).screen
        assert isinstance(first, NoteScreen)
        assert first.note is not None
        assert second.note is not None
        assert first.note.id != second.note.id


async def test_parts_of_words_and_nothing(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await app_of(pilot).database.run_with_profile(
            lambda profile: add_note(profile, "unwaveringly")
        )
        await press(pilot, "slash", Typed("waver"))
        await until_shown(pilot, "unwaveringly")
        assert "1 result" in text_of(pilot)
        await press(pilot, Typed('"(*-'))
        await until_shown(pilot, "No results")
        await press(pilot, "enter")
        assert isinstance(screen_of(pilot), SearchScreen)


@pytest.mark.parametrize("keys", [(), ("n",), ("comma",), ("space",), ("d",)])
async def test_search_opens_from_screens(
    home: Home, open_app: OpenApp, keys: tuple[str, ...]
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, *keys)
        below = pilot.app.screen
        await press(pilot, "slash")
        assert isinstance(screen_of(pilot), SearchScreen)
        await press(pilot, "escape")
        assert pilot.app.screen is below


async def test_the_last_line_says_how_to_search(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "n")
        assert "/ search" in last_line(pilot)


async def test_a_result_is_opened_with_the_mouse(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        for word in ("one", "two", "three"):
            await app_of(pilot).database.run_with_profile(
                partial(add_note, body=f"{word} needle", title=word)
            )
        await press(pilot, "slash", Typed("needle"))
        rows = text_of(pilot).splitlines()
        line = next(place for place, row in enumerate(rows) if " two" in row)
        await pilot.click(offset=(15, line))
        await settle(pilot)
        opened = screen_of(pilot)
        assert isinstance(opened, NoteScreen)
        assert opened.note is not None
        assert opened.note.title == "two"


async def test_more_results_than_there_is_room_for(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        for number in range(30):
            await app_of(pilot).database.run_with_profile(
                partial(add_note, body="needle", title=f"n{number:02}")
            )
        await press(pilot, "slash", Typed("needle"))
        assert "the first 24" in text_of(pilot)
        await press(pilot, *["down"] * 30)
        searching = screen_of(pilot)
        assert isinstance(searching, SearchScreen)
        assert searching.chosen is not None
        chosen = searching.chosen.title.text
        assert chosen in text_of(pilot)
        await press(pilot, "enter")
        opened = screen_of(pilot)
        assert isinstance(opened, NoteScreen)
        assert opened.note is not None
        assert opened.note.title == chosen


async def test_the_chosen_result_is_beside_the_list_where_there_is_room(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home, (160, 50)) as pilot:
        await press(pilot, "slash", Typed("weights"))
        await until_shown(pilot, "a weighted mean needs weights that sum to 1.")
        assert "Softmax divides each exponential by their sum" in text_of(pilot)
