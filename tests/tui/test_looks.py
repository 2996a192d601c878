"""Colours: what the terminal can show wins, then the learner's choice; pictures of four screens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.app import App
from textual.color import Color
from textual.pilot import Pilot

from studyattn.home import Home
from studyattn.study.clock import FixedClock
from studyattn.study.settings import ThemeName
from studyattn.tui.app import StudyApp
from studyattn.tui.theme import (
    READABLE,
    THEME_NAMES,
    Look,
    choose_theme,
    contrast,
    recall_theme,
    remember_theme,
    theme_named,
)
from tests.tui.conftest import OpenApp, Typed, app_of, press, settle, text_of

RATINGS = ("again", "hard", "good", "easy")
RICH = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


@pytest.mark.parametrize(
    ("environment", "remembered", "theme"),
    [
        (RICH, None, Look.DARK),
        ({**RICH, "COLORFGBG": "0;15"}, None, Look.LIGHT),
        ({**RICH, "COLORFGBG": "15;0"}, None, Look.DARK),
        (RICH, Look.LIGHT, Look.LIGHT),
        (RICH, "nord", "nord"),
        ({"TERM": "xterm"}, "nord", Look.TERMINAL),
        ({**RICH, "NO_COLOR": "1"}, Look.LIGHT, Look.TERMINAL),
        ({"TERM": "xterm"}, Look.LIGHT, Look.TERMINAL),
        ({"TERM": "linux"}, None, Look.TERMINAL),
        ({}, None, Look.TERMINAL),
    ],
)
def test_the_theme_that_fits_the_terminal(
    environment: dict[str, str], remembered: str | None, theme: str
) -> None:
    assert choose_theme(environment, remembered) == theme


def test_the_choice_is_remembered_for_the_next_start(tmp_path: Path) -> None:
    assert recall_theme(tmp_path) is None
    remember_theme(tmp_path / "new", "gruvbox")
    assert recall_theme(tmp_path / "new") == "gruvbox"
    (tmp_path / "new" / "look").write_text("mauve", encoding="utf-8")
    assert recall_theme(tmp_path / "new") is None


async def test_a_theme_is_shown_while_it_is_chosen_and_kept_when_it_is_taken(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        app = app_of(pilot)
        ground = app.screen.styles.background
        await press(pilot, "ctrl+t", Typed("nord"))
        assert app.theme_name == "nord"
        assert app.screen.styles.background != ground
        await press(pilot, "escape")
        assert (app.theme_name, app.screen.styles.background) == ("dark", ground)
        assert recall_theme(home.root) is None
        await press(pilot, "ctrl+t", "down", "enter")
        assert app.theme_name == "light"
        assert await setting(pilot) == "light"
    assert recall_theme(home.root) == "light"


async def test_the_settings_change_the_theme_too(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "comma", "end", *["up"] * 5)
        assert "Color theme" in text_of(pilot)
        await press(pilot, "enter", Typed("gruv"), "enter")
        assert await setting(pilot) == app_of(pilot).theme_name == "gruvbox"
        assert "gruvbox" in text_of(pilot)


async def setting(pilot: Pilot[None]) -> str:
    """The theme as the setting has it."""
    return await app_of(pilot).database.run_with_profile(lambda profile: profile.settings.theme)


def test_every_theme_can_be_set() -> None:
    assert set(ThemeName) == {"auto", *THEME_NAMES}


@pytest.mark.parametrize("name", [name for name in THEME_NAMES if name != Look.TERMINAL])
def test_every_text_colour_of_a_theme_can_be_read(name: str) -> None:
    theme = theme_named(name)
    generated = theme.textual.to_color_system().generate() | theme.textual.variables
    for variable in ("foreground", "primary", "quiet", "right", "wrong", *RATINGS):
        for ground in ("background", "raised"):
            colours = Color.parse(generated[variable]), Color.parse(generated[ground])
            assert contrast(*colours) >= READABLE, (variable, ground)
    assert contrast(Color.parse(theme.colours.code), Color.parse(theme.colours.ground)) >= READABLE
    assert len({generated[rating] for rating in RATINGS}) == len(RATINGS)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast(Color.parse("black"), Color.parse("white")) == pytest.approx(21)
    # a known pair: #767676 is the lightest grey that white lets read
    assert contrast(Color.parse("#767676"), Color.parse("white")) == pytest.approx(4.54, abs=0.005)


async def test_without_colour_nothing_is_coloured(
    home: Home, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = StudyApp(home, clock)
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
    app = StudyApp(home, clock)
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


@pytest.mark.parametrize("key", ["slash", "b"])
async def test_the_cursor_of_a_line_is_seen_in_the_terminal_s_colours(
    home: Home, clock: FixedClock, key: str
) -> None:
    app = StudyApp(home, clock, Look.TERMINAL)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, key)
        line = app.screen.query_one("#search")
        style = next(segment.style for segment in line.render_line(0) if segment.style)
        assert style.reverse
        assert style.bgcolor is not None
        assert style.bgcolor.is_default


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
    app: App[None] = StudyApp(home, clock, look)
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))
