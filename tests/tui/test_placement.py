"""Placement in the app: from the first start through the questions to the map."""

from __future__ import annotations

import sqlite3

import pytest

from studyattn.home import Home
from tests.tui.conftest import OpenApp, Typed, last_line, press, settle, text_of


def starts(home: Home) -> list[tuple[str, float | None]]:
    with sqlite3.connect(home.database) as connection:
        return connection.execute(
            "SELECT item_guid, interval FROM memory_start ORDER BY item_guid"
        ).fetchall()


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_a_first_start_leads_through_the_questions_to_the_map(
    home: Home, open_app: OpenApp, size: tuple[int, int]
) -> None:
    async with open_app(home, size) as pilot:
        assert "P       find your place" in text_of(pilot)
        await press(pilot, "P")
        assert "1 of at most 3" in text_of(pilot)
        assert "How large is the variance" in text_of(pilot)  # the number before the typed answer
        await press(pilot, Typed("64"), "enter")
        assert "✓ 64" in text_of(pilot)
        assert "didn't know" not in last_line(pilot)  # what was compared is not asked
        await press(pilot, "enter")
        assert "2 of at most 3" in text_of(pilot)
        await press(pilot, "space")
        assert "2 knew it" in last_line(pilot)
        await press(pilot, "space", "1")
        shown = text_of(pilot)
        assert "Where you are" in shown
        assert "2 of 3 concepts placed" in shown
        assert all(len(line) <= size[0] for line in shown.splitlines())
        assert starts(home) == []
        assert "enter keep the map" in last_line(pilot)
        assert "space place" in last_line(pilot)
        await press(pilot, "enter")
        assert "3 concepts" not in text_of(pilot)
        await press(pilot, "p")
        assert "2 of 3 concepts begun or placed" in text_of(pilot)
        assert "learning" not in text_of(pilot)
    kept = starts(home)
    assert {guid.partition(":")[2].partition("-")[0] for guid, _ in kept} == {"softmax", "scaling"}
    assert all(interval is not None and interval >= 1 for _, interval in kept)
    with sqlite3.connect(home.database) as connection:
        assert connection.execute("SELECT DISTINCT state FROM concept").fetchall() == [("unseen",)]
        assert connection.execute("SELECT count(*) FROM review").fetchone() == (0,)


async def test_an_empty_answer_is_none_and_the_map_can_be_changed(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "P", "enter")
        assert "64" in text_of(pilot)
        await press(pilot, "enter", "k")
        assert "0 of 3 concepts placed" in text_of(pilot)
        await press(pilot, "space")
        assert "1 of 3 concepts placed" in text_of(pilot)
        await press(pilot, "ctrl+s", "P", "escape", "k")  # the map as it was kept
        assert "1 of 3 concepts placed" in text_of(pilot)
        await press(pilot, "home", "space", "ctrl+s")
    assert all(interval is None for _, interval in starts(home))  # new again


async def test_a_click_places_one_concept_and_keeps_nothing(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "P", "enter", "enter", "k")
        await pilot.click("#list", offset=(5, 1))
        await settle(pilot)
        assert "1 of 3 concepts placed" in text_of(pilot)
    assert starts(home) == []


async def test_leaving_keeps_nothing(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "P", Typed("64"), "enter", "enter", "escape")
        assert "find your place" in text_of(pilot)
        await press(pilot, "P", "escape", "1", "enter", "k", "space", "escape")
        assert "find your place" in text_of(pilot)
    assert starts(home) == []


async def test_a_home_without_a_pack_has_nothing_to_place(
    empty_home: Home, open_app: OpenApp
) -> None:
    async with open_app(empty_home) as pilot:
        assert "find your place" not in text_of(pilot)
        await press(pilot, "P")
        assert "come with a pack" in text_of(pilot)


async def test_whether_other_words_mean_the_same_is_for_the_learner_to_say(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        with sqlite3.connect(home.database) as connection:  # so that the typed card is asked
            connection.execute("UPDATE card SET kind = 'explain' WHERE kind = 'numeric'")
        await press(pilot, "P", Typed("the root"), "enter")
        assert "≠ the root" in text_of(pilot)
        assert "2 knew it" in last_line(pilot)
        await press(pilot, "2")
        assert "2 of at most 3" in text_of(pilot)
