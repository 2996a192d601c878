"""Colours: two themes of our own and one that uses the terminal's sixteen.

One accent, one colour for right and one for wrong (blue-green and orange, which colour-blind eyes
tell apart), one quiet grey, one line. Every coloured word also has a sign, so nothing is lost
where there is no colour. The choice is kept in a one-word file of the home, because it is needed
before the database is open; the setting `theme` is the truth and that file its copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from textual.theme import Theme


class Look(StrEnum):
    """The colours of the app."""

    DARK = "dark"
    LIGHT = "light"
    TERMINAL = "terminal"

    @property
    def theme(self) -> str:
        """The name of the Textual theme."""
        return f"studyattn-{self.value}"


def _own_theme(look: Look, *, dark: bool, colours: Mapping[str, str]) -> Theme:
    return Theme(
        name=look.theme,
        dark=dark,
        primary=colours["accent"],
        secondary=colours["quiet"],
        accent=colours["accent"],
        success=colours["right"],
        warning=colours["wrong"],
        error=colours["wrong"],
        foreground=colours["text"],
        background=colours["ground"],
        surface=colours["ground"],
        panel=colours["raised"],
        variables={
            "quiet": colours["quiet"],
            "right": colours["right"],
            "wrong": colours["wrong"],
            "rule": colours["rule"],
            "raised": colours["raised"],
            "block-cursor-background": colours["raised"],
            "block-cursor-foreground": colours["text"],
            "block-cursor-text-style": "bold",
            "block-cursor-blurred-background": colours["raised"],
            "block-cursor-blurred-foreground": colours["text"],
            "input-selection-background": colours["raised"],
            "border": colours["accent"],
            "border-blurred": colours["rule"],
            "scrollbar": colours["rule"],
            "scrollbar-hover": colours["quiet"],
            "scrollbar-active": colours["accent"],
            "scrollbar-background": colours["ground"],
            "scrollbar-background-hover": colours["ground"],
            "scrollbar-background-active": colours["ground"],
            "scrollbar-corner-color": colours["ground"],
        },
    )


DARK = _own_theme(
    Look.DARK,
    dark=True,
    colours={
        "text": "#d7dae0",
        "ground": "#15181e",
        "raised": "#272c36",
        "quiet": "#8d95a5",
        "rule": "#3d4451",
        "accent": "#a3b1ff",
        "right": "#58c4b4",
        "wrong": "#f39c63",
    },
)

LIGHT = _own_theme(
    Look.LIGHT,
    dark=False,
    colours={
        "text": "#23262d",
        "ground": "#faf9f6",
        "raised": "#e6e5ee",
        "quiet": "#5e6572",
        "rule": "#c4c5cb",
        "accent": "#3a47b8",
        "right": "#00695f",
        "wrong": "#a8440c",
    },
)

TERMINAL = Theme(
    name=Look.TERMINAL.theme,
    ansi=True,
    dark=True,
    primary="ansi_magenta",
    secondary="ansi_bright_black",
    accent="ansi_magenta",
    success="ansi_cyan",
    warning="ansi_red",
    error="ansi_red",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    variables={
        "quiet": "ansi_bright_black",
        "right": "ansi_cyan",
        "wrong": "ansi_red",
        "rule": "ansi_bright_black",
        "raised": "ansi_default",
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "block-cursor-background": "ansi_default",
        "block-cursor-foreground": "ansi_default",
        "block-cursor-text-style": "bold underline",  # Textual draws no list's row reversed
        "block-cursor-blurred-background": "ansi_default",
        "block-cursor-blurred-foreground": "ansi_default",
        "block-cursor-blurred-text-style": "bold",
        "input-cursor-text-style": "reverse",
        "input-selection-background": "ansi_magenta",
        "input-selection-foreground": "ansi_default",
        "border": "ansi_magenta",
        "border-blurred": "ansi_bright_black",
        "scrollbar": "ansi_bright_black",
        "scrollbar-hover": "ansi_magenta",
        "scrollbar-active": "ansi_magenta",
        "scrollbar-background": "ansi_default",
        "scrollbar-background-hover": "ansi_default",
        "scrollbar-background-active": "ansi_default",
        "scrollbar-corner-color": "ansi_default",
    },
)

THEMES: Mapping[Look, Theme] = {Look.DARK: DARK, Look.LIGHT: LIGHT, Look.TERMINAL: TERMINAL}

_RICH_TERMINALS = ("256color", "truecolor", "direct", "kitty", "alacritty", "ghostty", "wezterm")
_LIGHT_GROUNDS = ("7", "15")


def choose_look(environment: Mapping[str, str], remembered: Look | None = None) -> Look:
    """Choose the colours: what the terminal can show wins over the learner's choice.

    `NO_COLOR` or fewer than 256 colours: the terminal's own. Then the remembered choice. Then
    light where `COLORFGBG` says that the ground is white, and dark otherwise.
    """
    term = environment.get("TERM", "")
    colours = environment.get("COLORTERM", "")
    if "NO_COLOR" in environment:
        return Look.TERMINAL
    if not colours and not any(name in term for name in _RICH_TERMINALS):
        return Look.TERMINAL
    if remembered is not None:
        return remembered
    ground = environment.get("COLORFGBG", "").rpartition(";")[2]
    return Look.LIGHT if ground in _LIGHT_GROUNDS else Look.DARK


def recall_look(root: Path) -> Look | None:
    """The look that was chosen in this home, if any."""
    try:
        return Look((root / "look").read_text(encoding="utf-8").strip())
    except (OSError, ValueError):
        return None


def remember_look(root: Path, look: Look) -> None:
    """Keep the choice for the next start, where the home can be written."""
    with suppress(OSError):
        root.mkdir(parents=True, exist_ok=True)
        (root / "look").write_text(f"{look.value}\n", encoding="utf-8")


def forget_look(root: Path) -> None:
    """Let the terminal decide at the next start."""
    with suppress(OSError):
        (root / "look").unlink(missing_ok=True)
