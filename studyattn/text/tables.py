"""Tables: columns as wide as their text if there is room, else narrower, with cells that wrap.

A table that cannot be made narrow enough to read becomes a list of records, one line a cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from studyattn.text.lines import padded, wrap
from studyattn.text.palette import Palette

GAP: Final = "  "
NARROWEST: Final = 6
"""A column is not made narrower than this, unless its text is."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, all of the same length; the head may be missing."""

    head: tuple[Text, ...] | None
    rows: tuple[tuple[Text, ...], ...]
    alignments: tuple[str, ...]
    """left, center or right, for each column."""


def set_table(table: Table, width: int, palette: Palette) -> list[Text]:
    """The table as lines of at most `width` cells."""
    widths = _fit(table, width)
    if widths is None:
        return _records(table, width)
    lines = [] if table.head is None else _headed(table, table.head, widths, palette)
    tall = any(
        cell_len(cell.plain) > widths[at] for row in table.rows for at, cell in enumerate(row)
    )
    for index, row in enumerate(table.rows):
        if tall and index:
            lines.append(Text())
        lines.extend(_row(row, widths, table.alignments))
    return lines


def _headed(table: Table, head: Sequence[Text], widths: list[int], palette: Palette) -> list[Text]:
    names = [cell.copy() for cell in head]
    for cell in names:
        cell.stylize_before(palette.table_head)
    rule = Text(GAP.join("─" * each for each in widths), palette.marker)
    return [*_row(names, widths, table.alignments), rule]


def _fit(table: Table, width: int) -> list[int] | None:
    """Return the width of each column, or None when they do not fit beside one another."""
    rows = [*([table.head] if table.head else []), *table.rows]
    columns = len(table.alignments)
    widths = [max(cell_len(row[column].plain) for row in rows) for column in range(columns)]
    room = width - len(GAP) * (columns - 1)
    least = [min(each, NARROWEST) for each in widths]
    if sum(least) > room:
        return None
    while sum(widths) > room:
        widest = max(range(columns), key=lambda column: widths[column] - least[column])
        others = [each for column, each in enumerate(widths) if column != widest]
        target = max(max(others, default=0), widths[widest] - (sum(widths) - room), least[widest])
        widths[widest] = min(target, widths[widest] - 1)
    return [max(each, 1) for each in widths]


def _row(cells: Sequence[Text], widths: list[int], alignments: Sequence[str]) -> list[Text]:
    wrapped = [wrap(cell, width) for cell, width in zip(cells, widths, strict=True)]
    lines: list[Text] = []
    for index in range(max(map(len, wrapped))):
        parts = [
            padded(column[index] if index < len(column) else Text(), width, alignment)
            for column, width, alignment in zip(wrapped, widths, alignments, strict=True)
        ]
        line = Text(GAP).join(parts)
        line.rstrip()
        lines.append(line)
    return lines


def _records(table: Table, width: int) -> list[Text]:
    lines: list[Text] = []
    for index, row in enumerate(table.rows):
        if index:
            lines.append(Text())
        for column, cell in enumerate(row):
            name = table.head[column] if table.head else Text()
            label = Text.assemble(name, ": ") if name.plain else Text()
            lines.extend(wrap(Text.assemble(label, cell), width))
    if not table.rows and table.head:
        lines.extend(line for cell in table.head for line in wrap(cell, width))
    return lines
