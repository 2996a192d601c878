"""A picture in the terminal: two colours for each character, which is coarse but shows what it is.

Reading pictures needs Pillow, which is optional (`studyattn[pictures]`); without it there are none.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from rich.color import Color
from rich.style import Style
from rich.text import Text

LINES: Final = 12
"""The most lines that a picture takes."""
_UPPER_HALF: Final = "▀"


@lru_cache(maxsize=16)
def picture(path: Path, width: int) -> Text | None:
    """Return a picture at most `width` columns wide; None where it cannot be read."""
    try:
        from PIL import Image
    except ImportError:
        return None
    try:
        with Image.open(path) as opened:
            opened.draft("RGB", (2 * width, 4 * LINES))
            image = opened.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    image.thumbnail((width, 2 * LINES))
    columns, rows = image.size
    pixels = image.tobytes()  # red, green and blue of each, row by row
    lines = []
    for row in range(0, rows - rows % 2, 2):
        line = Text()
        for column in range(columns):
            upper, lower = (3 * (each * columns + column) for each in (row, row + 1))
            style = Style(
                color=Color.from_rgb(*pixels[upper : upper + 3]),
                bgcolor=Color.from_rgb(*pixels[lower : lower + 3]),
            )
            line.append(_UPPER_HALF, style)
        lines.append(line)
    return Text("\n").join(lines) if lines else None
