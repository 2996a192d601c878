"""Pictures: in pixels by kitty's graphics protocol where the terminal has it, else half-blocks.

A process has one terminal, so there is one canvas, as there is one theme. Picture files are read
here as pixels, on white where they are transparent; that needs Pillow, which is optional.

With kitty's protocol a picture is sent once, and characters stand for its parts:
https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders. The characters are text
like any other: they scroll, are cut and are cleared without another word to the terminal.
"""

from __future__ import annotations

import base64
import io
import os
import re
import struct
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import astuple, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.driver import Driver
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import Static

from studyattn.tui.services import services_of

if TYPE_CHECKING:
    from PIL.Image import Image

    from studyattn.study.settings import Pictures


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


@dataclass(frozen=True, slots=True)
class Canvas:
    """A terminal, as far as pictures go; without a printer they are made of half-blocks."""

    printer: KittyPrinter | None = None
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


def _printed(strip: Strip, printer: KittyPrinter) -> Strip:
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


_KNOWN: Final = re.compile("(xterm-)?(kitty|ghostty)")
"""The names of terminals that draw pictures in place of characters, kitty from 0.28 on."""
_USUAL: Final = Cell(10, 20)

_PLACEHOLDER: Final = "\U0010eeee"
_ROWS: Final = (
    "\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c\u0350\u0351\u0352"
    "\u0357\u035b\u0363\u0364\u0365\u0366\u0367\u0368\u0369\u036a\u036b\u036c\u036d\u036e\u036f"
    "\u0483\u0484\u0485\u0486\u0487\u0592\u0593\u0594\u0595\u0597\u0598\u0599\u059c\u059d\u059e"
)
"""The marks that say which row, and which column, of a picture a placeholder shows."""
MOST_ROWS: Final = len(_ROWS)

_CHUNK: Final = 4096  # characters of one command, by the protocol
_KEPT: Final = 16  # pictures that the terminal keeps
_NUMBERS: Final = range(16, 256)
"""Numbers of pictures: those of colours that a terminal with 256 has, besides the first sixteen."""


def choose(setting: Pictures, driver: Driver | None, environ: Mapping[str, str]) -> Canvas:
    """Return what pictures are drawn on in the terminal of `driver`: by the setting, or its name.

    Within tmux the name is that of tmux, which does not tell what shows it.
    """
    if setting == "blocks" or driver is None or driver.is_web or driver.is_headless:
        return BLOCKS
    names = (environ.get("TERM", ""), environ.get("TERM_PROGRAM", ""))
    if setting == "auto" and not any(map(_KNOWN.fullmatch, names)):
        return BLOCKS
    cell = cell_size() or _USUAL
    return Canvas(KittyPrinter(driver.write, cell, os.getpid(), tmux="TMUX" in environ), cell)


def cell_size() -> Cell | None:
    """Return the size of a character as the system knows it; many terminals do not tell it."""
    try:
        import fcntl  # Windows has neither
        import termios

        told = fcntl.ioctl(0, termios.TIOCGWINSZ, bytes(8))
    except (ImportError, OSError):
        return None
    rows, columns, width, height = struct.unpack("HHHH", told)
    if not (rows and columns and width >= columns and height >= rows):
        return None
    return Cell(width // columns, height // rows)


class KittyPrinter:
    """Sends pictures with `write`, each once; `first` is the number of the first one."""

    def __init__(self, write: Callable[[str], None], cell: Cell, first: int, *, tmux: bool) -> None:
        self._write = write
        self._cell = cell
        self._next = _NUMBERS[first % len(_NUMBERS)]
        self._tmux = tmux
        self._sent: OrderedDict[Placed, int | None] = OrderedDict()

    def row(self, placed: Placed, row: int, ground: Style) -> list[Segment] | None:
        """Return the cells that show a row, and a blank behind them; None without the file.

        They are placeholders in the colour that numbers the picture, which Textual takes for text.
        """
        if placed not in self._sent:
            self._sent[placed] = self._send(placed)
            while len(self._sent) > _KEPT:
                self._delete(self._sent.popitem(last=False)[1])
        self._sent.move_to_end(placed)
        number = self._sent[placed]
        if number is None or row >= MOST_ROWS:
            return None
        # Each placeholder continues the one before it, so the first alone says where it is.
        text = _PLACEHOLDER + _ROWS[row] + _ROWS[0] + _PLACEHOLDER * (placed.columns - 1)
        return [Segment(text, ground + Style(color=f"color({number})")), Segment(" ", ground)]

    def forget(self) -> None:
        """Send everything anew when it is drawn: the terminal was somebody else's meanwhile."""
        self._sent.clear()

    def clear(self) -> None:
        """Take from the terminal what it was given to keep."""
        for number in self._sent.values():
            self._delete(number)
        self._sent.clear()

    def _send(self, placed: Placed) -> int | None:
        image = read_image(Path(placed.path), placed.width, placed.height)
        if image is None:
            return None
        # The terminal scales a picture to its cells, so it gets one of just their size.
        from PIL import Image

        cells = placed.columns * self._cell.width, placed.rows * self._cell.height
        padded = Image.new("RGBA", cells)
        padded.paste(image)
        number, self._next = self._next, self._next + 1
        if self._next not in _NUMBERS:
            self._next = _NUMBERS[0]
        png = io.BytesIO()
        padded.save(png, "PNG", compress_level=1)
        header = f"a=T,U=1,i={number},c={placed.columns},r={placed.rows},f=100,t=d"
        for command in commands(header, png.getvalue()):
            self._command(command)
        return number

    def _delete(self, number: int | None) -> None:
        if number is not None:
            self._command(f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\")

    def _command(self, command: str) -> None:
        self._write(through_tmux(command) if self._tmux else command)


def commands(header: str, data: bytes) -> Iterator[str]:
    """Return the commands that send data, in parts; the terminal answers none of them."""
    text = base64.b64encode(data).decode("ascii")
    for start in range(0, len(text), _CHUNK):
        more = int(start + _CHUNK < len(text))
        said = f"{header},q=2,m={more}" if start == 0 else f"q=2,m={more}"
        yield f"\x1b_G{said};{text[start : start + _CHUNK]}\x1b\\"


def through_tmux(command: str) -> str:
    """Return a command as tmux passes it on, where it may (`allow-passthrough`)."""
    return "\x1bPtmux;" + command.replace("\x1b", "\x1b\x1b") + "\x1b\\"
