"""Explaining a concept in the app: asked for, before it is known, and when its card is due."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from studyattn.home import Home
from studyattn.study.clock import FixedClock
from tests.tui.conftest import NOON, OpenApp, Typed, last_line, press, text_of

_POINTS = "## Key points\n\n- Weights sum to 1.\n- None is negative.\n- Each row alone.\n\n"


@pytest.fixture(autouse=True)
def key_points(home: Home) -> None:
    """Three key points of the first concept."""
    file = home.root / "packs" / "small" / "concepts" / "softmax.md"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("## Cards\n", f"{_POINTS}## Cards\n"), encoding="utf-8")


def rows(home: Home, statement: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(home.database) as connection:
        return connection.execute(statement).fetchall()


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_points_are_ticked_beside_the_text(
    home: Home, open_app: OpenApp, size: tuple[int, int]
) -> None:
    async with open_app(home, size) as pilot:
        await press(pilot, "p", "enter", "w")
        assert "Explain in your own words: Softmax" in text_of(pilot)
        await press(pilot, Typed("Shares of one."), "ctrl+s")
        assert "Weights sum to 1." in text_of(pilot)
        assert "0 of 3: again" in text_of(pilot)
        await press(pilot, "space", "down", "space", "3", "2")
        assert "2 of 3: hard" in text_of(pilot)
        assert "Shares of one." in text_of(pilot)
        assert all(len(line) <= size[0] for line in text_of(pilot).splitlines())
        await press(pilot, "enter")
        assert "Softmax turns scores into weights" in text_of(pilot)
    assert rows(home, "SELECT item_guid, rating FROM review") == [("small:explain/softmax", 2)]
    assert rows(home, "SELECT body FROM note") == [("Shares of one.",)]


async def test_it_is_offered_before_a_concept_is_known_and_never_forced(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "p", "enter", "m", "down", "enter")
        assert "Do this before you mark it known." in text_of(pilot)
        await press(pilot, "escape")
        assert rows(home, "SELECT state FROM concept WHERE slug = 'softmax'") == [("known",)]
        await press(pilot, "u", "m", "down", "enter", Typed("Shares."), "ctrl+s", "1", "2", "3")
        assert rows(home, "SELECT state FROM concept WHERE slug = 'softmax'") == [("unseen",)]
        await press(pilot, "enter")
        assert rows(home, "SELECT state FROM concept WHERE slug = 'softmax'") == [("known",)]
        await press(pilot, "u", "m", "down", "enter")  # it was explained
        assert rows(home, "SELECT state FROM concept WHERE slug = 'softmax'") == [("known",)]
    assert rows(home, "SELECT rating FROM review") == [(3,)]


async def test_what_is_left_unrated_becomes_a_note(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "p", "enter", "w", Typed("Half."), "ctrl+s", "escape")
        assert "Softmax turns scores into weights" in text_of(pilot)
        await press(pilot, "w", "escape")
    assert rows(home, "SELECT body FROM note") == [("Half.",)]
    assert rows(home, "SELECT count(*) FROM item WHERE guid LIKE '%explain%'") == [(0,)]


async def test_a_concept_without_key_points_says_so(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "p", "down", "enter", "w")
        assert "no key points" in next(iter(pilot.app._notifications)).message


async def test_its_card_is_explained_again_in_a_session(
    home: Home, open_app: OpenApp, clock: FixedClock
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "p", "enter", "w", "ctrl+s", "1", "2", "3", "enter")
    clock.at = NOON + timedelta(days=5)
    async with open_app(home) as pilot:
        await press(pilot, "space")
        assert "Explain in your own words: Softmax" in text_of(pilot)
        assert "d explain it" in last_line(pilot)
        await press(pilot, "d", Typed("Again."), "ctrl+s", "1", "2", "3", "enter")
        assert "Explain in your own words: Softmax" not in text_of(pilot)
    assert rows(home, "SELECT rating FROM review") == [(3,), (3,)]


async def test_what_is_written_outlives_an_app_that_is_killed(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "p", "enter", "w", Typed("Half a thought"))
        drafts = list[Path]()
        while not any(b"Half a thought" in draft.read_bytes() for draft in drafts):
            await pilot.pause(0.05)
            drafts = list(home.root.glob(".dialog-*.unsaved"))
        [draft] = drafts
        kept = draft.read_bytes()
        await press(pilot, "escape")
        assert not draft.exists(), "it was left on purpose"
    draft.write_bytes(kept)  # as if the app had ended in the middle
    async with open_app(home) as pilot:
        await press(pilot, "p", "enter", "w")
        assert "what you had written" in text_of(pilot)
        await press(pilot, Typed(", and the rest"), "ctrl+s")
        assert "Half a thought, and the rest" in text_of(pilot)
        assert not draft.exists()
    # The app quit beside the key points.
    assert rows(home, "SELECT body FROM note") == [("Half a thought, and the rest",)]


async def test_quitting_keeps_what_was_typed_a_moment_ago(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "p", "enter", "w", Typed("Quick"))
    async with open_app(home) as pilot:
        await press(pilot, "p", "enter", "w", "ctrl+s")
        assert "Quick" in text_of(pilot)
        await press(pilot, "escape", "w")
        assert "Quick" not in text_of(pilot)


@pytest.mark.parametrize("left", [b"", b"\xff", b"null", b"[]", b'{"text": 1}', b'{"other": "x"}'])
async def test_a_draft_that_cannot_be_read_is_nothing(
    home: Home, open_app: OpenApp, left: bytes
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "p", "enter", "w", Typed("Quick"))
    [draft] = home.root.glob(".dialog-*.unsaved")
    draft.write_bytes(left)
    async with open_app(home) as pilot:
        await press(pilot, "p", "enter", "w")
        assert "Explain in your own words: Softmax" in text_of(pilot)
        assert "Quick" not in text_of(pilot)
        assert "what you had written" not in text_of(pilot)
