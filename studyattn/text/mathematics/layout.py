"""A formula in two dimensions, on lines of its own.

Follows TeX's styles: a formula in display has the scripts of ∑ below and above it; inside a
fraction, a matrix or a script they go to the side, which keeps those parts low.
"""

from __future__ import annotations

from collections.abc import Sequence

from studyattn.text.mathematics import symbols
from studyattn.text.mathematics.box import (
    Box,
    beside,
    delimiter,
    pad,
    stack,
    text_box,
    widen,
)
from studyattn.text.mathematics.formula import (
    Accent,
    Bar,
    Fenced,
    Formula,
    FormulaRow,
    Fraction,
    Grid,
    NodeKind,
    Root,
    Scripts,
    Symbol,
    kind_of,
    only_item,
    openings,
    spaced,
)
from studyattn.text.mathematics.line import accented, set_line, small_script


def lay_out(formula: Formula, *, display: bool = True, tight: bool = False) -> Box:
    """The formula as a box. `tight` is the spacing inside scripts."""
    match formula:
        case Symbol():
            box = text_box(formula.text)
        case FormulaRow(items):
            box = lay_out_row(items, display=display, tight=tight)
        case Fraction():
            box = _fraction(formula)
        case Root():
            box = _root(formula, display)
        case Scripts():
            box = _scripts(formula, lay_out(formula.base, display=display), display)
        case Fenced(left, body, right):
            box = _fence(left, lay_out(body, display=display, tight=tight), right)
        case Grid():
            box = _grid(formula)
        case Accent(body, mark):
            inner = lay_out(body, display=False, tight=True)
            box = Box((accented(inner.rows[0], mark), *inner.rows[1:]), inner.baseline)
        case Bar():
            box = _bar(formula, display)
    return box


def lay_out_row(
    items: Sequence[Formula], *, display: bool, tight: bool = False, continued: bool = False
) -> Box:
    """Lay out parts on one baseline; delimiters grow to the size of what they hold."""
    boxes = [lay_out(item, display=display, tight=tight) for item in items]
    for left, right in openings(items):
        if not any(_is_tall(item, display) for item in items[left + 1 : right]):
            continue
        inside = boxes[left + 1 : right]
        above = max((box.baseline for box in inside), default=0)
        below = max((box.below for box in inside), default=0)
        if above + below:
            boxes[left] = _grown(items[left], above, below, display)
            boxes[right] = _grown(items[right], above, below, display)
    parts: list[Box] = []
    for placed, box in zip(spaced(items, tight=tight, continued=continued), boxes, strict=True):
        if placed.gap:
            parts.append(text_box(" " * placed.gap))
        parts.append(box)
    return beside(parts)


def _is_tall(formula: Formula, display: bool) -> bool:
    """Return True if delimiters grow round it; a raised or lowered script is no reason to."""
    match formula:
        case Fraction() | Grid() | Bar():
            return True
        case FormulaRow(items):
            return any(_is_tall(item, display) for item in items)
        case Scripts():
            return _has_limits(formula, display) or _is_tall(formula.base, display)
        case Fenced():
            return _is_tall(formula.body, display)
        case Root():
            return not _is_single(formula.body)
        case _:
            return False


def _grown(item: Formula, above: int, below: int, display: bool) -> Box:
    """A delimiter, with its scripts if it has any, as tall as what it holds."""
    if isinstance(item, Scripts):
        return _scripts(item, _grown(item.base, above, below, display), display)
    sign = item.text if isinstance(item, Symbol) else ""
    return delimiter(sign, above, below)


def _fence(left: str, body: Box, right: str) -> Box:
    sides = [delimiter(sign, body.baseline, body.below) for sign in (left, right)]
    return beside([sides[0], body, sides[1]])


def _fraction(fraction: Fraction) -> Box:
    above = lay_out(fraction.numerator, display=False)
    below = lay_out(fraction.denominator, display=False)
    width = max(above.width, below.width) + 2
    rule = "╶" + "─" * (width - 2) + "╴" if fraction.ruled else " " * width
    return stack([above, text_box(rule), below], baseline_of=1)


def _root(root: Root, display: bool) -> Box:
    body = lay_out(root.body, display=display)
    degree = ""
    if root.degree is not None:
        glyphs = small_script(root.degree, symbols.SUPERSCRIPTS)
        degree = glyphs or f"({set_line(root.degree)})"
    if body.height == 1 and _is_single(root.body):
        return text_box(f"{degree}√{body.rows[0]}")
    margin = max(len(degree), 1)
    left = [" " * margin] * (body.height + 1)
    left[-1] = "╲".rjust(margin)
    if degree:
        left[-2] = degree.rjust(margin)
    rows = ["┌" + "─" * body.width, *("│" + row for row in body.rows)]
    joined = tuple(before + row for before, row in zip(left, rows, strict=True))
    return Box(joined, body.baseline + 1)


def _is_single(formula: Formula) -> bool:
    """√d and √dₖ need no roof."""
    item = only_item(formula)
    if isinstance(item, Scripts):
        return item.upper is None and _is_single(item.base)
    if isinstance(item, FormulaRow):
        return all(isinstance(each, Symbol) and each.text.isdigit() for each in item.items)
    return isinstance(item, Symbol)


def _scripts(formula: Scripts, base: Box, display: bool) -> Box:
    if not _has_limits(formula, display):
        return _corners(formula, base)
    parts = [base]
    if formula.upper is not None:
        parts.insert(0, lay_out(formula.upper, display=False, tight=True))
    at = len(parts) - 1
    if formula.lower is not None:
        parts.append(lay_out(formula.lower, display=False, tight=True))
    return stack(parts, baseline_of=at)


def _has_limits(formula: Scripts, display: bool) -> bool:
    """Return True if the scripts go below and above: asked for, or an operator in display."""
    kind = kind_of(formula.base)
    if kind in {NodeKind.OPERATOR, NodeKind.FUNCTION}:
        return display and (kind is NodeKind.OPERATOR if formula.limits is None else formula.limits)
    return bool(formula.limits)


def _corners(formula: Scripts, base: Box) -> Box:
    """Scripts to the right: small glyphs where there are such, else boxes above and below.

    On a tall base they are level with its first and its last row.
    """
    lower = None if formula.lower is None else small_script(formula.lower, symbols.SUBSCRIPTS)
    upper = None if formula.upper is None else small_script(formula.upper, symbols.SUPERSCRIPTS)
    column = [_glyphs(lower or "", upper or "", base)]
    at = 0
    if formula.upper is not None and upper is None:
        column.insert(0, lay_out(formula.upper, display=False, tight=True))
        at = 1
    if formula.lower is not None and lower is None:
        column.append(lay_out(formula.lower, display=False, tight=True))
    return beside([base, stack(column, baseline_of=at, align="l")])


def _glyphs(lower: str, upper: str, base: Box) -> Box:
    if base.height == 1:
        return text_box(lower + upper)
    width = max(len(lower), len(upper))
    blank = [" " * width] * base.height
    blank[0], blank[-1] = pad(upper, width), pad(lower, width)
    return Box(tuple(blank), base.baseline)


def _bar(bar: Bar, display: bool) -> Box:
    body = lay_out(bar.body, display=display)
    if isinstance(only_item(bar.body), Symbol) and not bar.brace:
        return text_box(set_line(bar))
    line = "─" * body.width
    if bar.brace:
        line = _brace(body.width, bar.over)
    parts = [text_box(line), body] if bar.over else [body, text_box(line)]
    return stack(parts, baseline_of=int(bar.over))


def _brace(width: int, over: bool) -> str:
    left, middle, right = "╭┴╮" if over else "╰┬╯"
    if width < 3:
        return middle.center(width)
    side = (width - 3) // 2
    return left + "─" * side + middle + "─" * (width - 3 - side) + right


# -- grids -------------------------------------------------------------------------------------


def _grid(grid: Grid) -> Box:
    cells = [[lay_out(cell, display=grid.equations) for cell in row] for row in grid.rows]
    columns = max(len(row) for row in cells)
    widths = [
        max((row[column].width for row in cells if column < len(row)), default=0)
        for column in range(columns)
    ]
    lines = [_grid_row(row, widths, grid) for row in cells]
    body = stack_lines(lines)
    centred = Box(body.rows, (body.height - 1) // 2)
    return _fence(grid.left, centred, grid.right) if grid.left or grid.right else centred


def _grid_row(row: list[Box], widths: list[int], grid: Grid) -> Box:
    parts: list[Box] = []
    for column, width in enumerate(widths):
        if column:
            parts.append(text_box(" " * _column_gap(grid, column, widths)))
        cell = row[column] if column < len(row) else text_box("")
        last = len(grid.columns) - 1
        at = column % (last + 1) if grid.equations else min(column, last)
        parts.append(widen(cell, width, grid.columns[at]))
    return beside(parts) if parts else text_box("")


def _column_gap(grid: Grid, column: int, widths: list[int]) -> int:
    if not grid.equations:
        return 3 if grid.left == "{" or grid.right == "}" else 2
    if column % len(grid.columns):
        return int(widths[column - 1] > 0)
    return 3


def stack_lines(lines: Sequence[Box]) -> Box:
    """Lines under one another, with a blank row between them when one is taller than a row."""
    if not lines:
        return text_box("")
    apart = any(line.height > 1 for line in lines)
    parts: list[Box] = []
    for index, line in enumerate(lines):
        if index and apart:
            parts.append(text_box(""))
        parts.append(line)
    return stack(parts, baseline_of=0, align="l")
