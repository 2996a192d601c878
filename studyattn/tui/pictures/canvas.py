"""The canvas of pictures: the size of a character, and the printer of pixels, if there is one.

A process has one terminal, so there is one canvas, as there is one theme.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from rich.segment import Segment
from rich.style import Style


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
