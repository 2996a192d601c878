"""Colours: what the terminal can show wins, then the learner's choice; pictures of four screens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.app import App
from textual.pilot import Pilot

from studyattn.home import Home
from studyattn.study.clock import FixedClock
from studyattn.tui.app import make_app
from studyattn.tui.theme import Look, choose_look, recall_look, remember_look
from tests.tui.conftest import OpenApp, app_of, press, settle

RICH = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


@pytest.mark.parametrize(
    ("environment", "remembered", "look"),
    [
        (RICH, None, Look.DARK),
        ({**RICH, "COLORFGBG": "0;15"}, None, Look.LIGHT),
        ({**RICH, "COLORFGBG": "15;0"}, None, Look.DARK),
        (RICH, Look.LIGHT, Look.LIGHT),
        ({**RICH, "NO_COLOR": "1"}, Look.LIGHT, Look.TERMINAL),
        ({"TERM": "xterm"}, Look.LIGHT, Look.TERMINAL),
        ({"TERM": "linux"}, None, Look.TERMINAL),
        ({}, None, Look.TERMINAL),
    ],
)
def test_the_look_that_fits_the_terminal(
    environment: dict[str, str], remembered: Look | None, look: Look
) -> None:
    assert choose_look(environment, remembered) is look


def test_the_choice_is_remembered_for_the_next_start(tmp_path: Path) -> None:
    assert recall_look(tmp_path) is None
    remember_look(tmp_path / "new", Look.LIGHT)
    assert recall_look(tmp_path / "new") is Look.LIGHT
    (tmp_path / "new" / "look").write_text("mauve", encoding="utf-8")
    assert recall_look(tmp_path / "new") is None


async def test_the_key_changes_the_look_and_the_setting(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "ctrl+t")
        assert app_of(pilot).look is Look.LIGHT
        setting = await app_of(pilot).database.run_with_profile(
            lambda profile: profile.settings.theme
        )
        assert setting == "light"
    assert recall_look(home.root) is Look.LIGHT


async def test_without_colour_nothing_is_coloured(
    home: Home, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_app(home, clock)
    async with app.run_test() as pilot:
        await settle(pilot)
        await press(pilot, "space", "space")
        for strip in app.screen._compositor.render_strips():
            for filter_ in app._filters:
                if filter_.enabled:
                    strip = strip.apply_filter(filter_, app.screen.background_colors[1])  # noqa: PLW2901
            for _, style, _ in strip:
                assert style is None or style.color is None or style.color.is_default
                assert style is None or style.bgcolor is None or style.bgcolor.is_default


@pytest.mark.parametrize(("keys", "words"), [("b", "Why do the weights"), ("c", "Softmax")])
async def test_without_colour_the_chosen_row_can_be_told(
    home: Home, clock: FixedClock, monkeypatch: pytest.MonkeyPatch, keys: str, words: str
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_app(home, clock)
    async with app.run_test() as pilot:
        await settle(pilot)
        await press(pilot, keys, "tab" if keys == "b" else "right", "left")
        rows = [strip for strip in app.screen._compositor.render_strips() if words in strip.text]
        assert any(style and style.underline for _, style, _ in rows[0])


Snapshot = Callable[..., bool]


def pressing(*keys: str) -> Callable[[Pilot[None]], object]:
    """What a picture is taken after."""

    async def run(pilot: Pilot[None]) -> None:
        await settle(pilot)
        await press(pilot, *keys)

    return run


@pytest.mark.parametrize(
    ("name", "keys", "size", "look"),
    [
        ("first-start", (), (80, 24), Look.DARK),
        ("review-back", ("space", "space"), (80, 24), Look.DARK),
        (
            "today",
            ("space", "space", "4", "escape", "c", "m", "enter", "escape"),
            (80, 24),
            Look.LIGHT,
        ),
        ("concepts", ("c", "m", "enter", "right"), (160, 50), Look.TERMINAL),
        ("concept", ("c", "down", "enter", "tab"), (80, 24), Look.LIGHT),
    ],
)
def test_pictures(  # noqa: PLR0917 - fixtures and parameters
    home: Home,
    clock: FixedClock,
    snap_compare: Snapshot,
    name: str,
    keys: tuple[str, ...],
    size: tuple[int, int],
    look: Look,
) -> None:
    """`pytest --snapshot-update` takes them anew, after one has looked at the report."""
    app: App[None] = make_app(home, clock, look)
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))
