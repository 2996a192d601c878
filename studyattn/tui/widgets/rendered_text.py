"""Markdown as one piece of text in the app's colours, broken at the reading width."""

from __future__ import annotations

import os
from functools import lru_cache

from rich.text import Text

from studyattn.text.links import Names
from studyattn.text.palette import Palette
from studyattn.text.render import plain, render
from studyattn.tui.theme import Look


def face(markdown: str, width: int, look: Look, names: Names | None = None) -> Text:
    """`markdown` rendered at most `width` columns wide; the same card is rendered once a size.

    With `names`, links to these concepts are shown as links.
    """
    return _face(markdown, max(20, width), look, names)


@lru_cache(maxsize=64)
def _face(markdown: str, width: int, look: Look, names: Names | None) -> Text:
    return render(markdown, width=width, palette=palette(look), names=names)


@lru_cache(maxsize=4096)
def line(markdown: str) -> str:
    """The first line of `markdown` as plain text, for lists."""
    return plain(markdown).partition("\n")[0].replace("==", "")


def plain_text(markdown: str) -> str:
    """`markdown` as plain text on one line."""
    return " ".join(plain(markdown).split())


@lru_cache(maxsize=3)
def palette(look: Look) -> Palette:
    """The renderer's styles for a look."""
    if look is Look.TERMINAL:
        return Palette.plain() if "NO_COLOR" in os.environ else Palette()
    dark = look is Look.DARK
    quiet = "#8d95a5" if dark else "#5e6572"
    accent = "#a3b1ff" if dark else "#3a47b8"
    code = "#e3c78a" if dark else "#7a4b00"
    return Palette(
        heading=f"bold {accent}",
        code=code,
        link="underline",
        address=quiet,
        html=quiet,
        quote=f"italic {quiet}",
        marker=quiet,
        latex=f"italic {quiet}",
        cloze=f"bold {accent}",
        keyword=accent,
        string="#58c4b4" if dark else "#00695f",
        comment=f"italic {quiet}",
        number="#f39c63" if dark else "#a8440c",
        name="bold",
    )
