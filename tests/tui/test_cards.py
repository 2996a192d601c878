"""The card browser: columns, sorting, several rows chosen, changes that can be taken back."""

from __future__ import annotations

import sqlite3
from itertools import takewhile
from typing import Any

import pytest

from studyattn.home import Home
from studyattn.study.notes.own_cards import CardText, make_cards
from studyattn.study.profile import open_profile
from tests.tui.conftest import OpenApp, Typed, last_line, press, settle, text_of


def stored(home: Home, column: str) -> list[Any]:
    """A column of all items, in the order in which they were made."""
    with sqlite3.connect(home.database) as connection:
        return [row[0] for row in connection.execute(f"SELECT {column} FROM item ORDER BY id")]


def fronts(shown: str) -> list[str]:
    """The rows of the list, without what follows the front, and the chosen card below them."""
    lines = takewhile(lambda line: "──" not in line, shown.splitlines()[5:])
    return [line[5:35].strip() for line in lines if line.strip()]


async def test_a_column_sorts_by_key_and_by_click(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "b", "enter", "o")
        assert "sorted by card" in last_line(pilot)
        ascending = fronts(text_of(pilot))
        assert ascending == sorted(ascending, key=str.casefold)
        await press(pilot, "O")
        assert fronts(text_of(pilot)) == ascending[::-1]
        names = text_of(pilot).splitlines()[4]
        assert "card▼" in names
        await pilot.click("#columns", offset=(names.index("due") - 2, 0))
        await settle(pilot)
        assert "due▲" in text_of(pilot)


async def test_several_are_suspended_tagged_and_brought_back(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "b", "enter", "space", "shift+down")
        assert "3 of 7 items chosen" in text_of(pilot)
        await press(pilot, "at")
        assert "3 suspended; u undoes" in last_line(pilot)
        assert sum(stored(home, "suspended")) == 3
        await press(pilot, "number_sign", *"exam", "ctrl+s")
        assert [tags.strip() for tags in stored(home, "tags")].count("exam") == 3
        await press(pilot, "u", "u")
        assert sum(stored(home, "suspended")) == 0
        assert not any(tags.strip() for tags in stored(home, "tags"))
        await press(pilot, "escape")
        assert "7 items" in text_of(pilot)
        await press(pilot, "A", "asterisk")
        assert sum(stored(home, "marked")) == 7


async def test_what_is_so_for_all_of_several_is_turned_back_and_undone_in_one_step(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "b", "enter", "at")  # one of them
        assert "suspended; u undoes" in last_line(pilot)
        await press(pilot, "A", "at")
        assert sum(stored(home, "suspended")) == 7
        await press(pilot, "at")
        assert "7 in reviews again; u undoes" in last_line(pilot)
        assert sum(stored(home, "suspended")) == 0
        await press(pilot, "u")
        assert sum(stored(home, "suspended")) == 7
        await press(pilot, "u")
        assert sum(stored(home, "suspended")) == 1


async def test_own_cards_are_deleted_others_suspended_and_undo_brings_them_back(
    home: Home, open_app: OpenApp
) -> None:
    with open_profile(home) as profile:
        make_cards(profile, [CardText("My own question", "My own answer")], concept="softmax")
    async with open_app(home) as pilot:
        await press(pilot, "b", "enter", "A", "delete")
        assert "1 deleted, 7 from packs or documents suspended" in last_line(pilot)
        assert "My own question" not in text_of(pilot)
        assert "7 items" in text_of(pilot)
        await press(pilot, "u")
        assert "8 items" in text_of(pilot)
        assert sum(stored(home, "suspended")) == sum(stored(home, "retired")) == 0


async def test_own_cards_move_to_another_concept(home: Home, open_app: OpenApp) -> None:
    with open_profile(home) as profile:
        make_cards(profile, [CardText("My own question", "My own answer")], concept="softmax")
    before = stored(home, "concept_id")
    async with open_app(home) as pilot:
        await press(pilot, "b", "enter", "A", "m", "down", "enter")
        assert "1 card moved to " in last_line(pilot)
        assert "7 from packs stay" in last_line(pilot)
        after = stored(home, "concept_id")
        assert after != before
        assert after[:-1] == before[:-1]
        await press(pilot, "u")
        assert stored(home, "concept_id") == before


@pytest.mark.parametrize("sorted_by", ["path", "due"])
async def test_no_row_is_left_out(home: Home, open_app: OpenApp, sorted_by: str) -> None:
    texts = [CardText(f"Question {number}", "Answer") for number in range(450)]
    with open_profile(home) as profile:
        make_cards(profile, texts, concept="softmax")
    async with open_app(home) as pilot:
        await press(pilot, "b")
        assert "457 items" in text_of(pilot)
        await press(pilot, *["enter", *["o"] * (3 if sorted_by == "due" else 0)])
        await press(pilot, "end")
        assert "…" not in "".join(fronts(text_of(pilot))[-1:])
        shown = text_of(pilot)
        await press(pilot, "pageup", "end")
        assert text_of(pilot) == shown
        await press(pilot, "shift+up")
        assert "2 of 457 items chosen" in text_of(pilot)


async def test_the_last_line_says_what_escape_does(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "b")
        assert "esc back" in last_line(pilot)
        await press(pilot, Typed("soft"))
        assert "esc clear search" in last_line(pilot)
        await press(pilot, "down", "space")
        assert "esc choose none" in last_line(pilot)
        await press(pilot, "escape")
        assert "esc clear search" in last_line(pilot)
        await press(pilot, "escape")
        assert "esc back" in last_line(pilot)
