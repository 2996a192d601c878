"""Colours: themes of our own, some that Textual brings, and the terminal's sixteen colours.

One accent, one colour for right and one for wrong, one for each rating, one quiet grey, one line.
In our own themes blue-green and orange tell right from wrong, for colour-blind eyes too. Every
coloured word also has a sign, so nothing is lost where there is no colour. A theme of Textual's
gives its own colours; those that are text are made lighter or darker until they can be read.

The choice is kept in a one-word file of the home, because it is needed before the database is open;
the setting `theme` is the truth and that file its copy. Only the theme in use is built.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from textual.color import Color
from textual.theme import BUILTIN_THEMES
from textual.theme import Theme as TextualTheme

SCREENS_SHEET: Final = str(Path(__file__).with_name("screens.tcss"))
"""The style sheet of all screens but Today, and of dialogs; loaded with the first of them."""


class Look(StrEnum):
    """The ground of a theme: a dark one, a light one, or the terminal's own colours.

    Each is also the name of our own theme for it.
    """

    DARK = "dark"
    LIGHT = "light"
    TERMINAL = "terminal"


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a theme by their purpose: each `#rrggbb`, or a name of one of the sixteen."""

    text: str
    ground: str
    raised: str  # the row under the cursor
    quiet: str  # less important text
    rule: str  # lines, never text
    accent: str
    right: str
    wrong: str
    code: str
    again: str
    hard: str
    good: str
    easy: str


@dataclass(frozen=True, slots=True)
class Theme:
    """One choice of colours."""

    colours: Colours
    textual: TextualTheme


BORROWED: Final = (
    "nord",
    "gruvbox",
    "tokyo-night",
    "catppuccin-mocha",
    "dracula",
    "textual-dark",
    "textual-light",
    "catppuccin-latte",
    "solarized-light",
)
"""Those that Textual brings, dark ones first."""

THEME_NAMES: Final = (*Look, *BORROWED)  # every theme, by its name in the setting
READABLE: Final = 4.5  # the least contrast of text with its ground (WCAG 2.1, level AA)

_STEPS = 24  # on the way from a colour to black or white, until it can be read


@cache
def theme_named(name: str) -> Theme:
    """Return a theme; one of Textual's with the colours that the app needs besides.

    Raises KeyError for a name that is not in `THEME_NAMES`.
    """
    if name in list(Look):
        look = Look(name)
        colours = Colours(**{row[0]: row[1 + list(Look).index(look)] for row in _ROWS})
        dark, ansi = look is not Look.LIGHT, look is Look.TERMINAL
        return Theme(colours, _made_of(name, colours, dark=dark, ansi=ansi))
    if name not in BORROWED:
        raise KeyError(name)
    given = BUILTIN_THEMES[name]
    generated = given.to_color_system().generate()
    ground, text = Color.parse(generated["background"]), Color.parse(generated["foreground"])
    raised = ground.blend(text, 0.12)

    def read(colour: str | None, otherwise: str) -> str:
        return readable(Color.parse(colour or otherwise), (ground, raised), dark=given.dark).hex

    accent, right = read(given.primary, given.primary), read(given.success, given.primary)
    wrong = read(given.error, given.primary)
    colours = Colours(
        text=read(text.hex, text.hex),
        ground=ground.hex,
        raised=raised.hex,
        quiet=read(text.blend(ground, 0.35).hex, text.hex),
        rule=ground.blend(text, 0.25).hex,
        accent=accent,
        right=right,
        wrong=wrong,
        code=read(given.warning, given.primary),
        again=wrong,
        hard=read(given.warning, given.primary),
        good=right,
        easy=accent,
    )
    return Theme(colours, _made_of(name, colours, dark=given.dark))


def contrast(one: Color, other: Color) -> float:
    """Return the contrast of two colours, 1 to 21, as WCAG 2.1 defines it."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def readable(colour: Color, grounds: tuple[Color, ...], *, dark: bool) -> Color:
    """Return the colour nearest to `colour`, towards white or black, that all grounds let read."""
    end = Color.parse("white" if dark else "black")
    for step in range(_STEPS):
        mixed = colour.blend(end, step / _STEPS)
        if all(contrast(mixed, ground) >= READABLE for ground in grounds):
            return mixed
    return end


def _luminance(colour: Color) -> float:
    """Return the relative luminance of a colour, 0 to 1, as WCAG 2.1 defines it."""
    return sum(
        weight * (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)
        for weight, share in zip((0.2126, 0.7152, 0.0722), colour.normalized, strict=True)
    )


def _made_of(name: str, worn: Colours, *, dark: bool, ansi: bool = False) -> TextualTheme:
    """Return the theme that Textual takes."""
    if ansi:
        worn = Colours(**{part: f"ansi_{colour}" for part, colour in asdict(worn).items()})
    each = asdict(worn)
    return TextualTheme(
        name=f"studyattn-{name}",
        ansi=ansi,
        dark=dark,
        primary=worn.accent,
        secondary=worn.quiet,
        accent=worn.accent,
        success=worn.right,
        warning=worn.wrong,
        error=worn.wrong,
        foreground=worn.text,
        background=worn.ground,
        surface=worn.ground,
        panel=worn.raised,
        boost=worn.ground if ansi else None,
        variables={
            **{own: each[own] for own in _OWN_VARIABLES},
            "block-cursor-background": worn.raised,
            "block-cursor-foreground": worn.text,
            "block-cursor-text-style": "bold",
            "block-cursor-blurred-background": worn.raised,
            "block-cursor-blurred-foreground": worn.text,
            "input-selection-background": worn.raised,
            "border": worn.accent,
            "border-blurred": worn.rule,
            "scrollbar": worn.rule,
            "scrollbar-hover": worn.quiet,
            "scrollbar-active": worn.accent,
            "scrollbar-background": worn.ground,
            "scrollbar-background-hover": worn.ground,
            "scrollbar-background-active": worn.ground,
            "scrollbar-corner-color": worn.ground,
            **(_IN_TERMINAL if ansi else {}),
        },
    )


_OWN_VARIABLES = (
    *("quiet", "right", "wrong", "rule", "raised"),
    *("again", "hard", "good", "easy"),
)
"""The colours that style sheets and texts name beside Textual's own: `$quiet`, `$again`."""

_IN_TERMINAL: Final = {
    "ansi-background": "ansi_default",
    "ansi-foreground": "ansi_default",
    "block-cursor-text-style": "bold underline",  # Textual draws no list's row reversed
    "block-cursor-blurred-text-style": "bold underline",
    "input-cursor-text-style": "reverse",
    "input-selection-background": "ansi_magenta",
    "input-selection-foreground": "ansi_default",
    "scrollbar-hover": "ansi_magenta",
}
"""Variables that are others with the terminal's own colours."""

_ROWS: Final = [
    line.split() for line in Path(__file__).with_name("theme.txt").read_text("utf-8").splitlines()
][2:]


_worn = [theme_named(Look.DARK)]
_NO_COLOURS = Colours(*[""] * len(_ROWS))


def wear(theme: Theme) -> None:
    """Let texts have the colours of `theme` from now on; `NO_COLOR` leaves them none."""
    _worn[0] = replace(theme, colours=_NO_COLOURS) if "NO_COLOR" in os.environ else theme


def colours() -> Colours:
    """Return the colours of the theme that the app wears: a process draws on one terminal.

    What is drawn as a `Rich` text, and not by a style sheet, takes its colours from here.
    """
    return _worn[0].colours


def is_terminal() -> bool:
    """Return True if the terminal's own colours are worn, of which nobody knows what they are."""
    return _worn[0].textual.ansi


_RICH_TERMINALS = ("256color", "truecolor", "direct", "kitty", "alacritty", "ghostty", "wezterm")
_LIGHT_GROUNDS = ("7", "15")


def choose_theme(environment: Mapping[str, str], remembered: str | None = None) -> str:
    """Choose a theme by name: what the terminal can show wins over the learner's choice.

    `NO_COLOR` or fewer than 256 colours: the terminal's own. Then the remembered choice. Then
    light where `COLORFGBG` says that the ground is white, and dark otherwise.
    """
    term = environment.get("TERM", "")
    # `textual serve` tells what its pages can show by a variable of Textual's alone.
    colours = environment.get("COLORTERM") or environment.get("TEXTUAL_COLOR_SYSTEM") == "truecolor"
    if "NO_COLOR" in environment:
        return Look.TERMINAL
    if not colours and not any(name in term for name in _RICH_TERMINALS):
        return Look.TERMINAL
    if remembered is not None:
        return remembered
    ground = environment.get("COLORFGBG", "").rpartition(";")[2]
    return Look.LIGHT if ground in _LIGHT_GROUNDS else Look.DARK


def recall_theme(root: Path) -> str | None:
    """The theme that was chosen in this home, if any."""
    try:
        name = (root / "look").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return None
    return name if name in THEME_NAMES else None


def remember_theme(root: Path, name: str | None) -> None:
    """Keep the choice for the next start, where the home can be written; None lets it be chosen."""
    with suppress(OSError):
        if name is None:
            (root / "look").unlink(missing_ok=True)
        else:
            root.mkdir(parents=True, exist_ok=True)
            (root / "look").write_text(f"{name}\n", encoding="utf-8")
