"""Styled lines of a given width: wrapping, prefixes, padding. Widths are terminal cells.

Rich's own wrapping wants a console and knows no hanging indent; this knows no console.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len, split_graphemes
from rich.text import Text

_CHUNKS = re.compile(r"\s+|\S+")


def wrap(text: Text, width: int) -> list[Text]:
    """The text on lines of at most `width` cells, broken at spaces; line feeds are kept.

    A word wider than the line is broken between its characters, never inside one that is made of
    several code points. A character that is itself wider than the line has one of its own.
    """
    width = max(width, 1)
    lines: list[Text] = []
    for paragraph in text.split("\n", allow_blank=True):
        if cell_len(paragraph.plain) <= width:
            lines.append(paragraph)
            continue
        parts = list(paragraph.divide(_breaks(paragraph.plain, width)))
        for part in parts:
            part.rstrip()
        lines += [part for part in parts if part.plain] or [Text()]
    return lines


def _breaks(plain: str, width: int) -> list[int]:
    """Return the offsets at which the lines after the first begin."""
    breaks: list[int] = []
    used = 0
    for chunk in _CHUNKS.finditer(plain):
        cells = cell_len(chunk[0])
        if not chunk[0].isspace() and used and used + cells > width:
            breaks.append(chunk.start())
            used = 0
        if cells <= width or chunk[0].isspace():
            used += cells
            continue
        for first, _, wide in split_graphemes(chunk[0])[0]:
            if used and used + wide > width:
                breaks.append(chunk.start() + first)
                used = 0
            used += wide
    return breaks


def prefixed(lines: Sequence[Text], first: Text, rest: Text) -> list[Text]:
    """The lines with one prefix before the first and another before all that follow."""
    marked: list[Text] = []
    for index, line in enumerate(lines):
        joined = Text.assemble(rest if index else first, line)
        joined.rstrip()
        marked.append(joined)
    return marked


def padded(line: Text, width: int, align: str = "left") -> Text:
    """The line with spaces to the width; `align` is left, center or right."""
    missing = max(width - cell_len(line.plain), 0)
    left = {"left": 0, "center": missing // 2, "right": missing}.get(align, 0)
    return Text.assemble(" " * left, line, " " * (missing - left))


def join(lines: Sequence[Text]) -> Text:
    """The lines as one text."""
    return Text("\n").join(lines)
