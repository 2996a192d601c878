"""Sixel: the part of a picture that is in sight is drawn over blanks, whenever these are written.

https://vt100.net/docs/vt3xx-gp/chapter14.html. Textual's frame has a mark behind each row of a
picture. The driver puts the pixels of all rows that are in the frame at the last one's: terminals
keep few pictures, and what is written later would wipe out what it touches.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from rich.segment import Segment
from rich.style import Style

from studyattn.tui.pictures.canvas import Cell, Placed, read_image

_BAND: Final = 6  # rows of pixels that are drawn at once
_MARKS: Final = range(0x100000, 0x10E000)
"""Characters for private use that mark a row of a picture; no font has them."""
_MARK: Final = re.compile(f"[{chr(_MARKS[0])}-{chr(_MARKS[-1])}]")
_MOST_ROWS: Final = 64
_KEPT: Final = 16  # pictures
_REPEATED: Final = re.compile(rb"([?-~])\1{3,}")
_MOST_COLOURS: Final = 256

Pixels = np.ndarray[tuple[int, int], np.dtype[np.uint8]]


@dataclass(frozen=True, slots=True)
class _Reduced:
    """A picture as places in a palette of red, green, blue from 0 to 255."""

    placed: Placed
    pixels: Pixels
    palette: list[int]


class SixelPrinter:
    """Encodes pictures for cells of a size, in at most so many colours."""

    def __init__(self, cell: Cell, colours: int | None) -> None:
        self._cell = cell
        self._colours = min(colours or _MOST_COLOURS, _MOST_COLOURS)
        self._numbers: OrderedDict[Placed, int | None] = OrderedDict()
        self._pictures: dict[int, _Reduced] = {}
        self._next = 0
        self._pixels = lru_cache(maxsize=2 * _KEPT)(self._encode)

    def row(self, placed: Placed, row: int, ground: Style) -> list[Segment] | None:
        """Return blanks for a row, with its mark behind them."""
        if placed not in self._numbers:
            self._numbers[placed] = self._read(placed)
            while len(self._numbers) > _KEPT:
                _, gone = self._numbers.popitem(last=False)
                self._pictures.pop(-1 if gone is None else gone, None)
        self._numbers.move_to_end(placed)
        number = self._numbers[placed]
        if number is None or row >= _MOST_ROWS:
            return None
        mark = chr(_MARKS[(number * _MOST_ROWS + row) % len(_MARKS)])
        return [Segment(" " * placed.columns + mark, ground)]

    def forget(self) -> None:
        """Send everything anew, which each frame does."""

    def clear(self) -> None:
        """Leave it to the text that is drawn over it: the terminal keeps nothing."""

    def complete(self, frame: str) -> str:
        """Return a frame of Textual's with pixels where it has marks."""
        marks = list(_MARK.finditer(frame))
        if not marks:
            return frame
        parts, end, first = [], 0, 0
        for place, mark in enumerate(marks):
            code, following = ord(mark[0]), marks[place + 1 : place + 2]
            number, row = divmod(code - _MARKS[0], _MOST_ROWS)
            goes_on = following and ord(following[0][0]) == code + 1 and row + 1 < _MOST_ROWS
            parts.append(frame[end : mark.start()])
            end = mark.end()
            if number not in self._pictures:  # a text's own character
                parts.append(mark[0])
            elif goes_on:
                parts.append(" ")
            else:
                parts.append(self._pixels(number, row - (place - first), row))
            first = first if goes_on else place + 1
        return "".join([*parts, frame[end:]])

    def _read(self, placed: Placed) -> int | None:
        image = read_image(Path(placed.path), placed.width, placed.height)
        if image is None:
            return None
        reduced = image.quantize(self._colours)
        number = self._next
        self._next = (number + 1) % (len(_MARKS) // _MOST_ROWS)
        self._pixels.cache_clear()
        self._pictures[number] = _Reduced(placed, np.asarray(reduced), reduced.getpalette() or [])
        return number

    def _encode(self, number: int, first: int, last: int) -> str:
        """Return what draws some rows from behind the last one, and a blank there."""
        picture, height = self._pictures[number], self._cell.height
        up = f"\x1b[{last - first}A" if last > first else ""
        pixels = encode(picture.pixels[first * height : (last + 1) * height], picture.palette)
        return f"\x1b7{up}\x1b[{picture.placed.columns}D{pixels}\x1b8 "


def encode(pixels: Pixels, palette: list[int]) -> str:
    """Return a picture as sixel. `pixels`: places in a palette of red, green, blue from 0 to 255.

    What it does not cover stays as it was.
    """
    height, width = pixels.shape
    used = np.unique(pixels)
    parts = [f'\x1bP0;1;0q"1;1;{width};{height}']
    for colour in used.tolist():
        shares = (round(value / 2.55) for value in palette[3 * colour : 3 * colour + 3])
        parts.append(f"#{colour};2;{';'.join(map(str, shares))}")
    columns = np.arange(width)
    for top in range(0, height, _BAND):
        band = pixels[top : top + _BAND]
        colours, places = np.unique(band, return_inverse=True)
        sixels = np.zeros((len(colours), width), np.uint8)
        for bit, row in enumerate(places.reshape(band.shape)):
            sixels[row, columns] |= 1 << bit
        drawn = zip(colours.tolist(), sixels, strict=True)
        lines = [f"#{colour}{_shortened(line)}" for colour, line in drawn]
        parts += ["$".join(lines), "-"]
    return "".join(parts[:-1]) + "\x1b\\"


def _shortened(sixels: Pixels) -> str:
    """Return the characters of a line: none at its end that draw nothing, repetitions counted."""
    text = (sixels + ord("?")).tobytes().rstrip(b"?")
    return _REPEATED.sub(lambda run: b"!%d%b" % (len(run[0]), run[1]), text).decode("ascii")
