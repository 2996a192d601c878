"""The heads of a model on the screen: small maps, one head with switches, guesses by layer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.widgets import Input

from studyattn.bundled import content_dir
from studyattn.home import Home
from studyattn.lm.llama.kept import Models
from studyattn.lm.records import HeadTables, HeadWeights, Patterns
from studyattn.study.practice.running import HEADS_TEXT
from studyattn.tui.screens.model import ModelScreen
from studyattn.tui.widgets import head_maps
from tests.llama_models import models
from tests.tui.conftest import OpenApp, children, press, settle, text_of

__all__ = ["models"]

CONTENT = content_dir()


@pytest.fixture(autouse=True)
def drills_of_the_pack(no_builtin_pack: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)


def pattern(n: int, weight: Callable[[int, int], float]) -> bytes:
    """A byte for the weight of each query (row) on each key."""
    return bytes(round(255 * weight(row, key)) for row in range(n) for key in range(n))


def test_a_small_map_shows_its_pattern_and_its_letter() -> None:
    n = 11
    before = pattern(n, lambda row, key: float(key == max(row - 1, 0)))
    previous = head_maps.small_map(before, n, "p")
    first = head_maps.small_map(pattern(n, lambda _, key: float(key == 0)), n, "f")
    even = head_maps.small_map(pattern(n, lambda row, key: (key <= row) / (row + 1)), n)
    assert [len(line) for line in previous] == [6, 6, 6]
    assert previous[0].endswith("p")
    assert first == ("⡇    f", "⡇     ", "⠇     ")
    assert len({previous, first, even}) == 3
    blank = " " * 6
    assert head_maps.small_map(bytes(4), 2) == (blank, blank, blank)
    long = head_maps.small_map(pattern(32, lambda row, key: float(row == key)), 32)
    assert all(line.strip() for line in long)  # the diagonal is not lost when dots are shared


def test_heads_stand_by_layer_and_by_kind_and_the_cursor_finds_each() -> None:
    kinds = ["first", "induction", "none", "previous"]
    heads = [
        HeadWeights(layer, head, kinds[(layer + head) % 4], {"induction": 0.4 + layer / 10})
        for layer in range(6)
        for head in range(4)
    ]
    narrow, wide = head_maps.by_layer(heads, 40), head_maps.by_layer(heads, 70)
    assert [run.label for run in narrow[0]] == ["0"]
    assert [run.label for run in wide[0]] == ["0", "1"]
    assert sum(len(run.heads) for row in wide for run in row) == 24
    by_kind = head_maps.by_kind(heads, 35)
    order = [place for row in by_kind for run in row for place in run.heads]
    assert [heads[place].kind for place in order] == sorted(
        (head.kind for head in heads), key=head_maps.ORDER.index
    )
    assert heads[order[0]].layer == 5  # the strongest first
    place = order[0]
    seen = {place}
    for _ in range(23):
        place = head_maps.moved(by_kind, place, 1, 0)
        seen.add(place)
    assert len(seen) == 24
    assert head_maps.moved(by_kind, place, 1, 1) == place
    assert head_maps.line_of(narrow, 5) == 3
    assert "i induction 6" in head_maps.legend(heads, 70).plain


def test_a_model_of_270_heads_fits_on_a_large_terminal() -> None:
    heads = [HeadWeights(layer, head, "first", {}) for layer in range(30) for head in range(9)]
    found = Patterns(["a"] * 20, 20, heads, bytes(270 * 400))
    rows = head_maps.by_layer(heads, 160 - 7)
    drawn = head_maps.grid(rows, head_maps.small_maps(found), heads, 0)
    lines = drawn.plain.split("\n")
    assert len(lines) <= 45
    assert max(map(len, lines)) <= 160 - 7


async def test_without_a_model_it_says_how_to_get_one(
    stocked_home: Home, open_app: OpenApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDYATTN_CACHE", str(tmp_path))
    async with open_app(stocked_home) as pilot:
        await press(pilot, "M", "H")
        assert "`studyattn model get`" in text_of(pilot)
        await press(pilot, "enter", "1", "3", "L", "right", *["escape"] * 3)
        assert not isinstance(pilot.app.screen, ModelScreen)


def tables_of(screen: ModelScreen) -> HeadTables:
    """What is shown of the chosen head."""
    assert screen.tables is not None
    return screen.tables


@pytest.mark.usefixtures("own_servers")
async def test_all_heads_one_head_switched_and_the_guesses_and_no_worker_is_left(
    stocked_home: Home, open_app: OpenApp, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDYATTN_CACHE", str(models.folder.parent))
    had_torch = "torch" in sys.modules  # another test may have imported it
    before_it = children()
    async with open_app(stocked_home) as pilot:
        await press(pilot, "M", "H")
        screen = pilot.app.screen
        assert isinstance(screen, ModelScreen)
        await settle(pilot)
        assert screen.patterns is not None
        assert len(screen.patterns.heads) == 8
        await press(pilot, "o")
        await pilot.press(*["right"] * 7)
        await press(pilot, "o", "enter")
        shown = text_of(pilot)
        assert "weights: query (row), key (column)" in shown
        assert "causal mask   ÷√d" in shown
        before = tables_of(screen)

        await press(pilot, "1")
        assert "no mask" in text_of(pilot)
        assert None not in tables_of(screen).met[0]
        await press(pilot, "1", "3")
        assert "adds nothing" in text_of(pilot)
        assert tables_of(screen).weights == before.weights
        assert any(each.after != each.before for each in tables_of(screen).shares)
        await press(pilot, "2", "up", "4")
        assert "values: feature (row), token (column)" in text_of(pilot)
        assert not screen.switched.scaled
        await press(pilot, "right", "escape", "L")
        assert screen.tab == "layers"
        assert "  2   " in text_of(pilot)
        await press(pilot, "escape", "e")
        pilot.app.screen.query_one(Input).value = "the 12"
        await press(pilot, "ctrl+s")
        assert "".join(screen.patterns.pieces) == "the 12"
        await press(pilot, "e")
        pilot.app.screen.query_one(Input).value = HEADS_TEXT
        await press(pilot, "ctrl+s")
        assert "".join(screen.patterns.pieces) == HEADS_TEXT[:32]
        assert children() - before_it
        await press(pilot, "escape", "escape")
        assert not children() - before_it
        assert ("torch" in sys.modules) is had_torch
