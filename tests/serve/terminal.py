"""What a page would show: the cells that an app's output draws, for tests and benchmarks."""

from __future__ import annotations

import re

from rich.cells import cell_len

_TOKEN = re.compile(r"\x1b\[([0-9;?<>=$]*)([a-zA-Z])|\x1b[^\[]|(\r|\n)|([^\x1b\r\n]+)")


class Terminal:
    """Rows of text, at the places where Textual writes them."""

    def __init__(self) -> None:
        self._rows: dict[int, dict[int, str]] = {}
        self._row = self._column = 0
        self._rest = ""

    def feed(self, text: str) -> None:
        """Draw what an app writes."""
        for match in _TOKEN.finditer(text):
            arguments, control, newline, words = match.groups()
            if match[0] == "\x1bc":
                self._rows.clear()
            elif control == "H":
                row, _, column = arguments.partition(";")
                self._row, self._column = int(row or 1) - 1, int(column or 1) - 1
            elif newline == "\r":
                self._column = 0
            elif newline == "\n":
                self._row += 1
            for sign in words or "":
                self._rows.setdefault(self._row, {})[self._column] = sign
                self._column += cell_len(sign)

    @property
    def text(self) -> str:
        """The rows, one a line."""
        return "\n".join(self._line(row) for row in range(max(self._rows, default=-1) + 1))

    def find(self, words: str) -> tuple[int, int]:
        """The column and row where these words begin. Raises ValueError where they are not."""
        for row in self._rows:
            if (column := self._line(row).find(words)) >= 0:
                return column, row
        raise ValueError(f"{words!r} is not shown in\n{self.text}")

    def _line(self, row: int) -> str:
        cells = self._rows.get(row, {})
        return "".join(cells.get(column, " ") for column in range(max(cells, default=-1) + 1))
