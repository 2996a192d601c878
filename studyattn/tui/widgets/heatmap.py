"""Matrices as heatmaps: two cells an entry, blue above zero, orange below.

Each entry also has a shade (░ ▒ ▓ █) for its size, and a minus sign in its second cell when it is
negative, so a map says the same without any colour. Pure: from numbers to lines of Rich text.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.text import Text

from studyattn.tui.theme import Look

Matrix = Sequence[Sequence[float]]
"""Rows of numbers, all of one length."""

CELLS = 2
"""Columns of one entry of a map."""

SHADES = " ░▒▓█"

_GAP = 3
_MOST_PRINTED = 8
"""Columns of a matrix up to which its values are printed too."""

_RAMPS: dict[Look, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # weak to strong, for values above zero (blue) and below (orange)
    Look.DARK: (
        ("#4d6a8f", "#5c8ac2", "#6ba6ee", "#8cc0ff"),
        ("#8a6442", "#b97c43", "#e59545", "#ffb25c"),
    ),
    Look.LIGHT: (
        ("#7ba3cf", "#4f86c4", "#2568b0", "#0b4a93"),
        ("#d8a57a", "#c98245", "#b3601a", "#8c4200"),
    ),
    Look.TERMINAL: (("blue",) * 4, ("yellow",) * 4),
}


@dataclass(frozen=True, slots=True)
class Panel:
    """A matrix with a name, to be drawn beside others; `labels` of its rows, `top` of columns."""

    title: str
    values: Matrix
    peak: float
    """The size that the darkest shade stands for; maps to be compared share one."""
    labels: Sequence[str] = ()
    top: Sequence[str] = ()


def peak_of(*matrices: Matrix) -> float:
    """The largest finite size of any entry; 0 where there is none."""
    sizes = (abs(x) for values in matrices for row in values for x in row if math.isfinite(x))
    return max(sizes, default=0.0)


def shade(value: float, peak: float) -> str:
    """The two cells of one entry."""
    if math.isnan(value):
        return "??"
    if math.isinf(value):
        return "∞∞" if value > 0 else "-∞"
    mark = SHADES[_level(value, peak)]
    return f"{mark}-" if value < 0 and mark != " " else mark * CELLS


def map_row(row: Sequence[float], peak: float, look: Look) -> Text:
    """One row of a map: two cells an entry."""
    text = Text()
    for value in row:
        text.append(shade(value, peak), style=_colour(value, peak, look))
    return text


def number(value: float, *, whole: bool = False, fine: bool = False) -> str:
    """A value in few columns: `.31`, `-1.20`, `12.5`, `3e+05`; `fine` where all are small."""
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "∞" if value > 0 else "-∞"
    size = abs(value)
    if size and (size >= 10_000 or (fine and size < 0.995)):
        return f"{value:.0e}"
    if whole:
        return f"{value:.0f}"
    text = f"{value:.0f}" if size >= 100 else f"{value:.1f}" if size >= 9.995 else f"{value:.2f}"
    return text.replace("0.", ".", 1) if size < 0.995 else text


def number_rows(values: Matrix) -> list[str]:
    """Rows of right-aligned numbers, as precise as the matrix needs."""
    entries = [x for row in values for x in row]
    finite = [x for x in entries if math.isfinite(x)]
    whole = all(x == int(x) for x in finite)
    fine = 0 < peak_of(values) < 0.005
    cells = [[number(x, whole=whole, fine=fine) for x in row] for row in values]
    width = max((len(cell) for row in cells for cell in row), default=0)
    return ["  ".join(cell.rjust(width) for cell in row) for row in cells]


def panel(shown: Panel, look: Look) -> list[Text]:
    """Title, names of columns, numbers where they are few, and the map below them."""
    columns = max((len(row) for row in shown.values), default=0)
    numbers = number_rows(shown.values) if columns <= _MOST_PRINTED else []
    labels = list(shown.labels) or [""] * len(shown.values)
    margin = max((len(label) for label in labels), default=0)
    margin += 1 if margin else 0
    quiet = quiet_style(look)
    lines = [Text(shown.title, style="bold")]
    if shown.top:
        lines.append(Text(" " * margin + _heads(shown.top, numbers), style=quiet))
    for label, row in zip(labels, numbers, strict=False):
        lines.append(Text.assemble((f"{label:<{margin}}", quiet), row))
    for label, values in zip(labels, shown.values, strict=True):
        row_of_map = map_row(values, shown.peak, look)
        lines.append(Text.assemble((f"{label:<{margin}}", quiet), row_of_map))
    return lines


def beside(blocks: Sequence[Sequence[Text]], width: int) -> list[Text]:
    """Blocks side by side as far as `width` allows, the others below."""
    lines: list[Text] = []
    row: list[Sequence[Text]] = []
    used = 0
    for block in blocks:
        wide = _width(block)
        if row and used + _GAP + wide > width:
            lines += [*_joined(row), Text()]
            row, used = [], 0
        used += wide + (_GAP if row else 0)
        row.append(block)
    return [*lines, *_joined(row)]


def _joined(blocks: Sequence[Sequence[Text]]) -> list[Text]:
    widths = [_width(block) for block in blocks]
    lines = []
    for parts in zip_longest(*blocks):
        line = Text()
        for part, width in zip(parts, widths, strict=True):
            text = part or Text()
            line.append_text(text)
            line.append(" " * (width - text.cell_len + _GAP))
        line.rstrip()
        lines.append(line)
    return lines


def _width(block: Sequence[Text]) -> int:
    return max((line.cell_len for line in block), default=0)


def _heads(top: Sequence[str], numbers: Sequence[str]) -> str:
    """Names above the columns of numbers, or of the map where no number is printed."""
    if not numbers:
        return "".join(name[:CELLS].ljust(CELLS) for name in top)
    width = (len(numbers[0]) + 2) // len(top) - 2
    return "  ".join(name[:width].rjust(width) for name in top)


def _level(value: float, peak: float) -> int:
    """0 for nothing, then 1 to 4."""
    if peak <= 0 or value == 0:
        return 0
    share = min(1.0, abs(value) / peak)
    return 0 if share < 0.02 else min(4, 1 + int(share * 4 - 1e-9))


def _colour(value: float, peak: float, look: Look) -> str:
    if "NO_COLOR" in os.environ or not math.isfinite(value):
        return ""
    level = _level(value, peak)
    return _RAMPS[look][value < 0][level - 1] if level else ""


def quiet_style(look: Look) -> str:
    """The style of what stands back."""
    if look is Look.TERMINAL:
        return "" if "NO_COLOR" in os.environ else "bright_black"
    return "#8d95a5" if look is Look.DARK else "#5e6572"
