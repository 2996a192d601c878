"""A picture among the text of a card: two colours for each character, or its pixels over them.

Two colours are coarse but show what it is, anywhere. Each of their characters knows the picture
that it is a part of, so that a terminal that draws pixels (`tui.pictures`) has these instead.
Reading pictures needs Pillow, which is optional (`studyattn[pictures]`); without it there are none.
"""

from __future__ import annotations

from dataclasses import astuple
from functools import lru_cache
from pathlib import Path
from typing import Final

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import Static

from studyattn.tui.pictures.canvas import Cell, Placed, Printer, canvas, place, read_image
from studyattn.tui.services import services_of

LINES: Final = 12
"""The most lines that a picture takes."""
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
