"""The panel beside the main thing of a screen where the terminal is wide: a text of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rich.text import Text
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from studyattn.tui.formatting import READING_WIDTH
from studyattn.tui.pictures.canvas import PictureText

Drawing = Callable[[int], Content | Text | None]
"""Draws a text for a width in columns."""

ROOM: Final = 128
"""Columns of the terminal from which there is room for a panel beside what a screen shows."""


class SidePanel(VerticalScroll, can_focus=False):
    """A column at the right edge; a screen shows it where it has the class `-wide`."""

    DEFAULT_CSS = """
    SidePanel {
        width: 50;
        height: 1fr;
        padding: 0 2;
        border-left: solid $rule;
        scrollbar-size-vertical: 1;
        display: none;
    }
    SidePanel Static { height: auto; }
    """

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._drawing: Drawing | None = None

    def compose(self) -> Iterator[Static]:
        yield PictureText(markup=False)

    def on_mount(self) -> None:
        self.query_one(Static).auto_links = False  # a line that can be clicked keeps its colour

    def show(self, draw: Drawing, *, anew: bool = False) -> None:
        """Show what `draw` makes of the columns there are; `anew` begins at the top again.

        Where it returns None, what is shown stays.
        """
        self._drawing = draw
        self._redraw()
        if anew:
            self.scroll_home(animate=False)

    def on_resize(self) -> None:
        self._redraw()

    def _redraw(self) -> None:
        width = min(READING_WIDTH, self.content_size.width - 2)  # a scroll bar, and a gap
        if self._drawing is not None and width > 0:  # not while hidden, or not laid out yet
            drawn = self._drawing(width)
            if drawn is not None:
                self.query_one(Static).update(drawn)
