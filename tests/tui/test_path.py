"""The Path screen: the order, the next concept, and what its keys open."""

from __future__ import annotations

import pytest

from studyattn.home import Home
from tests.tui.conftest import OpenApp, press, text_of


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_path_in_a_terminal_of_each_size(
    home: Home, open_app: OpenApp, size: tuple[int, int]
) -> None:
    async with open_app(home, size) as pilot:
        await press(pilot, "w")
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
        await press(pilot, "w")
        assert "they come with a pack" in text_of(pilot)
