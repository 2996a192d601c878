"""Measurements of the cost lab, drawn for a terminal: curves on logarithmic axes, and their laws.

Pure: from series to Rich texts of a width. The command prints them, the app shows them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from rich.text import Text

from studyattn.grading.cost.measurements import CostSeries, Quantity, Role
from studyattn.text.plot import Curve, draw_curves, short, short_time

UNITS = {
    Quantity.OPERATIONS: "floating-point operations in one call",
    Quantity.LARGEST_ARRAY: "numbers in the largest array it creates",
    Quantity.TIME: "time per call on this machine (very short calls measure call overhead)",
}

_CONTRASTS = "×+*#"


class CostStyles(NamedTuple):
    """Rich styles: of the curves in their order, of the axes, of failures."""

    curves: tuple[str, ...] = ("",)
    quiet: str = ""
    wrong: str = ""

    def of(self, position: int) -> str:
        """Return the style of the curve at this position."""
        return self.curves[position % len(self.curves)]


def sign(series: Sequence[CostSeries], position: int) -> str:
    """Return the mark of a series' points; the learner's are filled."""
    role = series[position].role
    if role is Role.CONTRAST:
        before = sum(each.role is Role.CONTRAST for each in series[:position])
        return _CONTRASTS[before % len(_CONTRASTS)]
    return "●" if role is Role.YOURS else "○"


def plot(
    series: Sequence[CostSeries], quantity: Quantity, *, width: int, height: int, styles: CostStyles
) -> Text:
    """Plot one quantity of all series over n, in `height` lines; empty if nothing fits."""
    curves = [
        Curve(each.curve(quantity), sign(series, place), styles.of(place))
        for place, each in enumerate(series)
    ]
    label = short_time if quantity is Quantity.TIME else short
    return draw_curves(
        curves, width=width, height=height, label=label, quiet=styles.quiet, logarithmic=True
    )


def legend(
    series: Sequence[CostSeries], quantity: Quantity, *, width: int, styles: CostStyles
) -> Text:
    """Return a line for each series: its mark, its title, and how the quantity grows."""
    longest = max((len(each.title) for each in series), default=0)
    lines = []
    for place, each in enumerate(series):
        words = each.words(quantity) if each.points else ""
        fits = len(words) <= width - longest - 4
        title = f"{each.title:<{longest}}  " if fits else f"{each.title}\n  "
        line = Text.assemble((f"{sign(series, place)} ", styles.of(place)), title, words)
        line.rstrip()
        lines.append(line)
    return Text("\n").join(lines)


def remarks(series: Sequence[CostSeries], *, width: int, styles: CostStyles) -> Text:
    """Return a paragraph for each series that did not come to its end."""
    lines = [
        Text(line, style=styles.wrong)
        for each in series
        if each.remark
        for line in textwrap.wrap(f"✗ {each.title} {each.remark}", width, subsequent_indent="  ")
    ]
    return Text("\n").join(lines)
