"""The canvas of pictures: the size of a character, and the printer of pixels, if there is one.

A process has one terminal, so there is one canvas, as there is one theme. Picture files are read
here as pixels, on white where they are transparent; that needs Pillow, which is optional.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import Static

from studyattn.tui.services import services_of

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
    """Draws pictures in pixels, a row of characters at a time, which Textual takes for text."""

    def row(self, placed: Placed, row: int, ground: Style) -> list[Segment] | None:
        """Return the cells that show a row, and a blank behind them; None without the file."""

    def forget(self) -> None:
        """Send everything anew when it is drawn: the terminal was somebody else's meanwhile."""

    def clear(self) -> None:
        """Take from the terminal what it was given to keep."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """A terminal, as far as pictures go; without a printer they are made of half-blocks."""

    printer: Printer | None = None
    cell: Cell | None = None


BLOCKS: Final = Canvas()

_CANVAS = [BLOCKS]


def canvas() -> Canvas:
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


LINES: Final = 12  # the most lines that a picture takes
_UPPER_HALF: Final = "▀"
_HALVES: Final = Cell(1, 2)
_PART: Final = "picture"


def picture(path: Path, width: int) -> Text | None:
    """Return a picture at most `width` columns wide; None where it cannot be read."""
    return _picture(path, width, canvas().cell or _HALVES)


@lru_cache(maxsize=16)
def _picture(path: Path, width: int, cell: Cell) -> Text | None:
    placed = place(path, width - 1, LINES, cell)  # a blank is behind it
    if placed is None or not (image := read_image(path, placed.columns, 2 * placed.rows)):
        return None
    pixels = image.tobytes()  # red, green and blue of each, row by row
    lines = []
    for row in range(placed.rows):
        part = Style(meta={_PART: (*astuple(placed), row)})
        line = Text()
        for column in range(placed.columns):
            upper, lower = (3 * (each * placed.columns + column) for each in (2 * row, 2 * row + 1))
            style = Style(
                color=Color.from_rgb(*pixels[upper : upper + 3]),
                bgcolor=Color.from_rgb(*pixels[lower : lower + 3]),
            )
            line.append(_UPPER_HALF, style + part)
        line.append(" ", part)
        lines.append(line)
    return Text("\n").join(lines)


class PictureText(Static):
    """A text with pictures: in pixels where the terminal draws them and no dialog is above."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the lines, pictures in them as the terminal draws them now."""
        strips = super().render_lines(crop)
        if not any(_UPPER_HALF in strip.text for strip in strips):
            return strips
        services_of(self).prepare_pictures()
        printer = canvas().printer
        if printer is None or not self.screen.is_active:
            return strips
        return [_printed(strip, printer) for strip in strips]


def _printed(strip: Strip, printer: Printer) -> Strip:
    """Return a line with the row of a picture that is on it in pixels."""
    if _UPPER_HALF not in strip.text:
        return strip
    before: list[Segment] = []
    behind: list[Segment] = []
    drawn: list[Segment] | None = None
    for segment in strip:
        part = segment.style.meta.get(_PART) if segment.style and segment.style.meta else None
        if part is None:
            (before if drawn is None else behind).append(segment)
        elif drawn is None:
            *placed, row = part
            drawn = printer.row(Placed(*placed), row, _ground(strip))
            if drawn is None:
                return strip
    return Strip([*before, *(drawn or ()), *behind], strip.cell_length)


def _ground(strip: Strip) -> Style:
    """Return the style of a line's cells beside its picture: of the blank behind it."""
    for segment in reversed(list(strip)):
        if segment.style is not None and not segment.text.strip():
            return Style(bgcolor=segment.style.bgcolor)
    return Style()
