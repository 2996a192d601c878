"""The canvas of pictures: the size of a character, and the printer of pixels, if there is one.

A process has one terminal, so there is one canvas, as there is one theme. Picture files are read
here as pixels, on white where they are transparent; that needs Pillow, which is optional.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from rich.segment import Segment
from rich.style import Style

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class Cell:
    """The size of a character in pixels."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A picture file, the columns and rows of characters that it takes, and its pixels there."""

    path: str
    columns: int
    rows: int
    width: int
    height: int


class Printer(Protocol):
    """Draws pictures in pixels, a row of characters at a time.

    So Textual scrolls, cuts and clears a picture as it does any other text.
    """

    def row(self, placed: Placed, row: int, ground: Style) -> list[Segment] | None:
        """Return the cells that show a row, and a blank behind them.

        None where the file cannot be read. `ground` is the style of cells without a picture.
        """

    def forget(self) -> None:
        """Send everything anew when it is drawn: the terminal was somebody else's meanwhile."""

    def clear(self) -> None:
        """Take from the terminal what it was given to keep."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """A terminal, as far as pictures go; without a printer they are made of half-blocks.

    `measure` returns the size of a character now, as far as the system knows it.
    """

    printer: Printer | None = None
    cell: Cell | None = None
    measure: Callable[[], Cell | None] | None = None


BLOCKS: Final = Canvas()

_CANVAS = [BLOCKS]


def canvas() -> Canvas:
    """Return what pictures are drawn on now."""
    return _CANVAS[0]


def use(chosen: Canvas) -> None:
    """Draw pictures on this from now on."""
    _CANVAS[0] = chosen


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
