"""Picture files as pixels, on white where they are transparent; needs Pillow, which is optional."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from studyattn.tui.pictures.canvas import Cell, Placed

if TYPE_CHECKING:
    from PIL.Image import Image

_LINE = 18
"""Pixels of a line of text for which pictures are made; finer screens have several for one."""


def read_image(path: Path, width: int, height: int) -> Image | None:
    """Return a picture in exactly so many pixels; None where it cannot be read."""
    try:
        from PIL import Image
    except ImportError:
        return None
    try:
        with Image.open(path) as opened:
            opened.draft("RGB", (2 * width, 2 * height))
            if opened.has_transparency_data:  # made for paper, as formulas and drawings are
                layer = opened.convert("RGBA")
                image = Image.new("RGB", layer.size, "white")
                image.paste(layer, mask=layer)
            else:
                image = opened.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    if image.size == (width, height):
        return image
    return image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=2)


def place(path: Path, columns: int, rows: int, cell: Cell) -> Placed | None:
    """Return how large a picture is drawn in so many cells; None where it cannot be read.

    It keeps its proportions and is never drawn larger than it is on an ordinary screen.
    """
    try:
        from PIL import Image
    except ImportError:
        return None
    try:
        with Image.open(path) as opened:
            width, height = opened.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    finer = max(1, cell.height // _LINE)
    scale = min(finer, columns * cell.width / width, rows * cell.height / height)
    width, height = max(1, round(width * scale)), max(1, round(height * scale))
    return Placed(str(path), -(-width // cell.width), -(-height // cell.height), width, height)
