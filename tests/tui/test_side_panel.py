"""What stands beside a screen's main thing in a wide terminal."""

from __future__ import annotations

import asyncio

import pytest
from textual.pilot import Pilot

from studyattn.home import Home
from studyattn.study.review.beside import CardContext
from studyattn.study.review.views import RenderedCard
from studyattn.tui.screens.review import ReviewScreen
from studyattn.tui.widgets.header_footer import SidePanel
from tests.tui.conftest import OpenApp, press, settle, text_of, until

LARGE = (160, 50)


def panel_of(pilot: Pilot[None]) -> str:
    """The text at the right of the panel's line."""
    left = pilot.app.screen.query_one(SidePanel).region.x
    return "\n".join(line[left:] for line in text_of(pilot).splitlines())


async def test_the_board_has_the_chosen_concept_beside_it(home: Home, open_app: OpenApp) -> None:
    async with open_app(home, LARGE) as pilot:
        await press(pilot, "c")
        assert "○ unseen" in panel_of(pilot)
        assert "Softmax" in panel_of(pilot)
        assert "Cards and drills" in panel_of(pilot)
        await press(pilot, "down")
        assert "Scaling by 1/√d" in panel_of(pilot)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert not pilot.app.screen.query_one(SidePanel).display
        assert "Scaling by 1/√d" in text_of(pilot).splitlines()[-4]


async def test_settings_and_export_explain_the_chosen_line(home: Home, open_app: OpenApp) -> None:
    async with open_app(home, LARGE) as pilot:
        await press(pilot, "comma", *["down"] * 4)
        assert "Each day · interleave" in panel_of(pilot)
        assert "▸ last  default" in panel_of(pilot)
        assert "studyattn settings set interleave last" in panel_of(pilot)
        assert 'interleave = "last"' in panel_of(pilot)
        await press(pilot, "escape", "E")
        assert "It cannot be imported again." in panel_of(pilot)
        assert "✓ submissions to drills" in panel_of(pilot)
        await press(pilot, "down")
        assert "It can be imported again." in panel_of(pilot)


async def test_import_tells_what_can_be_imported(home: Home, open_app: OpenApp) -> None:
    async with open_app(home, LARGE) as pilot:
        await press(pilot, "I")
        assert "What can be imported" in panel_of(pilot)
        assert "Org mode" in panel_of(pilot)


async def test_no_key_waits_for_what_stands_beside_a_card(
    home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on, asked = asyncio.Event(), []
    read = ReviewScreen._read_beside

    async def slowly(screen: ReviewScreen, shown: RenderedCard) -> CardContext:
        asked.append(shown.guid)
        await goes_on.wait()
        return await read(screen, shown)

    monkeypatch.setattr(ReviewScreen, "_read_beside", slowly)
    async with open_app(home, LARGE) as pilot:
        await pilot.press("space")
        await until(pilot, lambda: bool(asked), settled=False)
        await pilot.press("space", "3")
        # The next card is there, while the first one is still looked up: a drawing that comes
        # meanwhile may have asked for that one again.
        await until(pilot, lambda: len(set(asked)) == 2, settled=False)
        goes_on.set()
        await settle(pilot)
        assert "This card" in text_of(pilot)
