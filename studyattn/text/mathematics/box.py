"""Rectangles of text with a baseline, and the ways of putting them together.

Every row of a box is equally wide, in terminal cells. Nothing here knows mathematics, but for the
shapes of the delimiters that grow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len

_TALL: Final = {
    "(": "⎛⎜⎝⎜",
    ")": "⎞⎟⎠⎟",
    "[": "⎡⎢⎣⎢",
    "]": "⎤⎥⎦⎥",
    "{": "⎧⎪⎩⎨",
    "}": "⎫⎪⎭⎬",
    "|": "││││",
    "‖": "║║║║",
    "⌊": "⎢⎢⎣⎢",
    "⌋": "⎥⎥⎦⎥",
    "⌈": "⎡⎢⎢⎢",
    "⌉": "⎤⎥⎥⎥",
    "⟨": "╱ ╲⟨",
    "⟩": "╲ ╱⟩",
    "/": "╱╱╱╱",
}
"""The top, the extension, the bottom and the middle of each delimiter that grows."""


class Box(NamedTuple):
    """Rows of equal width; `baseline` is the index of the row that a line of text runs through."""

    rows: tuple[str, ...]
    baseline: int = 0

    @property
    def width(self) -> int:
        return cell_len(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def below(self) -> int:
        """Rows under the baseline."""
        return len(self.rows) - self.baseline - 1


def text_box(text: str) -> Box:
    """One row."""
    return Box((text,))


def pad(text: str, width: int, align: str = "l") -> str:
    """The text with spaces to the width: `l`, `c` or `r` is where the text goes."""
    missing = max(width - cell_len(text), 0)
    left = {"l": 0, "c": missing // 2, "r": missing}[align]
    return " " * left + text + " " * (missing - left)


def widen(box: Box, width: int, align: str) -> Box:
    return Box(tuple(pad(row, width, align) for row in box.rows), box.baseline)


def extend(box: Box, above: int, below: int) -> Box:
    """The box with blank rows, so that it reaches so far above and below its baseline."""
    blank = " " * box.width
    top = max(above - box.baseline, 0)
    bottom = max(below - box.below, 0)
    return Box((blank,) * top + box.rows + (blank,) * bottom, box.baseline + top)


def beside(boxes: Sequence[Box]) -> Box:
    """Boxes in a row on one baseline."""
    boxes = [box for box in boxes if box.width or box.height > 1]
    if not boxes:
        return text_box("")
    above = max(box.baseline for box in boxes)
    below = max(box.below for box in boxes)
    level = [extend(box, above, below) for box in boxes]
    rows = zip(*(box.rows for box in level), strict=True)
    return Box(tuple("".join(parts) for parts in rows), above)


def stack(boxes: Sequence[Box], baseline_of: int, align: str = "c") -> Box:
    """Boxes over one another; the baseline is that of the box at `baseline_of`."""
    width = max(box.width for box in boxes)
    rows = tuple(pad(row, width, align) for box in boxes for row in box.rows)
    before = sum(box.height for box in boxes[:baseline_of])
    return Box(rows, before + boxes[baseline_of].baseline)


def delimiter(sign: str, above: int, below: int) -> Box:
    """A delimiter that reaches so many rows above and below the baseline."""
    height = above + below + 1
    if not sign or height == 1 or sign not in _TALL:
        return extend(text_box(sign), above, below)
    top, extension, bottom, middle = tuple(_TALL[sign])
    if height == 2:
        return Box((top, bottom), above)
    rows = [top, *[extension] * (height - 2), bottom]
    if sign in "{}⟨⟩":
        rows[min(max(above, 1), height - 2)] = middle
    return Box(tuple(rows), above)
