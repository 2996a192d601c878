"""Markdown as one piece of text in the app's colours, broken at the reading width."""

from __future__ import annotations

import os
from functools import lru_cache

from rich.text import Text
from textual.content import Content

from studyattn.text.links import Names
from studyattn.text.palette import Palette
from studyattn.text.render import plain, render
from studyattn.tui.theme import Colours, colours


def face(markdown: str, width: int, names: Names | None = None) -> Text:
    """`markdown` rendered at most `width` columns wide; the same card is rendered once a size.

    With `names`, links to these concepts are shown as links.
    """
    return _face(markdown, max(20, width), palette(), names)


@lru_cache(maxsize=64)
def _face(markdown: str, width: int, styles: Palette, names: Names | None) -> Text:
    return render(markdown, width=width, palette=styles, names=names)


def lines_of(text: Text) -> list[Content]:
    """Return the lines of a text as Textual has them, to stand below or beside others."""
    return Content.from_rich_text(text).split("\n")


@lru_cache(maxsize=4096)
def line(markdown: str) -> str:
    """The first line of `markdown` as plain text, for lists."""
    return plain(markdown).partition("\n")[0].replace("==", "")


def palette() -> Palette:
    """Return the renderer's styles, in the colours of the theme that is worn."""
    return Palette.plain() if "NO_COLOR" in os.environ else _palette(colours())


@lru_cache(maxsize=16)
def _palette(worn: Colours) -> Palette:
    return Palette(
        heading=f"bold {worn.accent}",
        code=worn.code,
        link="underline",
        address=worn.quiet,
        html=worn.quiet,
        quote=f"italic {worn.quiet}",
        marker=worn.quiet,
        latex=f"italic {worn.quiet}",
        cloze=f"bold {worn.accent}",
        keyword=worn.accent,
        string=worn.right,
        comment=f"italic {worn.quiet}",
        number=worn.wrong,
        name="bold",
    )
