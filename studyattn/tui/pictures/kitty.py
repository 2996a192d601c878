"""Kitty's graphics protocol: a picture is sent once, and characters stand for its parts.

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
from pathlib import Path
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.driver import Driver

from studyattn.study.settings import Pictures
from studyattn.tui.pictures.canvas import BLOCKS, Canvas, Cell, Placed, read_image

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
    if setting is Pictures.BLOCKS or driver is None or driver.is_web or driver.is_headless:
        return BLOCKS
    names = (environ.get("TERM", ""), environ.get("TERM_PROGRAM", ""))
    if setting is Pictures.AUTO and not any(map(_KNOWN.fullmatch, names)):
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
        """Return the placeholders of a row, in the colour that numbers the picture."""
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
