"""Formulas that are wider than the screen: broken before a relation, then before a sign.

Nothing is ever cut. What cannot be broken so that it fits is set on one line of text instead, which
wraps like words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len, chop_cells

from studyattn.text.mathematics.box import Box, beside, pad, text_box
from studyattn.text.mathematics.formula import (
    Formula,
    FormulaRow,
    Grid,
    NodeKind,
    flatten,
    kind_of,
    only_item,
)
from studyattn.text.mathematics.layout import lay_out, lay_out_row, stack_lines
from studyattn.text.mathematics.line import set_line

INDENT: Final = 4
"""Columns before a line that goes on from the one above."""

_BREAKS: Final = (
    frozenset({NodeKind.RELATION}),
    frozenset({NodeKind.RELATION, NodeKind.BINARY}),
)


def set_display(formula: Formula, width: int) -> tuple[str, ...]:
    """The formula in two dimensions, no line wider than `width` cells (at least 1)."""
    box = lay_out(formula)
    if box.width > width:
        item = only_item(formula)
        if isinstance(item, Grid) and item.equations:
            box = _broken_equations(item, width)
        else:
            box = _broken_row(flatten(item), width) or _wrapped(set_line(formula), width)
    return tuple(row.rstrip() for row in box.rows)


def _broken_row(
    items: Sequence[Formula], width: int, indent: int = INDENT, *, continued: bool = False
) -> Box | None:
    """The row on several lines, or None when some part alone is too wide."""
    for kinds in _BREAKS:
        lines = _fill(_segments(items, kinds), width, indent, continued)
        if lines is not None:
            return stack_lines(lines)
    return None


def _segments(items: Sequence[Formula], kinds: frozenset[NodeKind]) -> list[list[Formula]]:
    """The parts between the places where the row may break; never inside brackets."""
    segments: list[list[Formula]] = [[]]
    depth = 0
    for index, item in enumerate(items):
        kind = kind_of(item)
        depth += {NodeKind.OPEN: 1, NodeKind.CLOSE: -1}.get(kind, 0)
        solid = [each for each in segments[-1] if kind_of(each) is not NodeKind.SPACE]
        if index and kind in kinds and depth == 0 and solid:
            segments.append([])
        segments[-1].append(item)
    return segments


def _fill(
    segments: list[list[Formula]], width: int, indent: int, continued: bool
) -> list[Box] | None:
    """Put as many segments on each line as fit; None when one alone is too wide."""
    lines: list[Box] = []
    waiting: list[Formula] = []
    for segment in segments:
        tried = _line([*waiting, *segment], bool(lines), indent, continued)
        if tried.width <= width:
            waiting = [*waiting, *segment]
            continue
        if not waiting:
            return None
        lines.append(_line(waiting, bool(lines), indent, continued))
        waiting = list(segment)
        if _line(waiting, True, indent, continued).width > width:
            return None
    lines.append(_line(waiting, bool(lines), indent, continued))
    return lines


def _line(items: list[Formula], later: bool, indent: int, continued: bool) -> Box:
    box = lay_out_row(items, display=True, continued=later or continued)
    return beside([text_box(" " * indent), box]) if later and indent else box


def _broken_equations(grid: Grid, width: int) -> Box:
    """Break each equation by itself; the left-hand sides keep their common edge if they can."""
    left = max(lay_out(row[0]).width for row in grid.rows)
    aligned = grid.columns.startswith("r") and 0 < left <= width // 2
    lines: list[Box] = []
    for row in grid.rows:
        whole = _joined(row)
        line = _aligned_equation(row, left, width) if aligned else None
        line = line or _broken_row(whole, width)
        lines.append(line or _wrapped(set_line(FormulaRow(tuple(whole))), width))
    return stack_lines(lines)


def _aligned_equation(row: Sequence[Formula], left: int, width: int) -> Box | None:
    side = lay_out(row[0])
    start = Box(tuple(f"{pad(row, left, 'r')} " for row in side.rows), side.baseline)
    rest = _broken_row(_joined(row[1:]), width - left - 1, indent=2, continued=True)
    return None if rest is None else beside([start, rest])


def _joined(cells: Sequence[Formula]) -> list[Formula]:
    return [
        item for cell in cells for item in (cell.items if isinstance(cell, FormulaRow) else (cell,))
    ]


def _wrapped(text: str, width: int) -> Box:
    """One line of text broken at its spaces, and inside a word only where that alone is wider."""
    rows: list[str] = []
    for word in text.split(" "):
        if rows and cell_len(rows[-1]) + 1 + cell_len(word) <= width:
            rows[-1] += f" {word}"
        else:
            rows.extend(chop_cells(word, width) or [""])
    widest = max(map(cell_len, rows))
    return Box(tuple(pad(row, widest) for row in rows))
