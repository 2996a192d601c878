"""The Path screen: the order, the next concept, and what its keys open."""

from __future__ import annotations

import pytest

from studyattn.home import Home
from tests.tui.conftest import OpenApp, press, settle, text_of


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_path_in_a_terminal_of_each_size(
    home: Home, open_app: OpenApp, size: tuple[int, int]
) -> None:
    async with open_app(home, size) as pilot:
        await press(pilot, "p")
        shown = text_of(pilot)
        assert "0 of 3 concepts begun" in shown
        assert "▸ Softmax" in shown
        assert "⚑ the end of the path" in shown
        assert all(len(line) <= size[0] for line in shown.splitlines())
        await press(pilot, "enter")
        assert "Softmax turns scores into weights" in text_of(pilot)
        await press(pilot, "escape")
        assert "The path" in text_of(pilot)


async def test_a_home_without_a_pack_has_no_path(empty_home: Home, open_app: OpenApp) -> None:
    async with open_app(empty_home) as pilot:
        await press(pilot, "p")
        assert "come with a pack" in text_of(pilot)


async def test_the_page_of_the_chosen_concept_is_beside_a_wide_path(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home, (160, 50)) as pilot:
        await press(pilot, "p")
        assert "Softmax turns scores into weights that sum to 1" in text_of(pilot)
        await press(pilot, "down")
        assert "The scores are divided by" in text_of(pilot)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "The scores are divided by" not in text_of(pilot)
