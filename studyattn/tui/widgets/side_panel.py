"""What stands beside the main thing of a screen where the terminal is wide: a text of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rich.text import Text
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from studyattn.tui.formatting import READING_WIDTH

ROOM: Final = 128
"""Columns of the terminal from which there is room for a panel beside what a screen shows."""

PANEL_BREAKPOINTS: Final = [(0, "-narrow"), (ROOM, "-wide")]


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

    def __init__(self) -> None:
        super().__init__()
        self._drawing: Callable[[int], Content | Text] | None = None

    def compose(self) -> Iterator[Static]:
        yield Static(markup=False)

    def on_mount(self) -> None:
        self.query_one(Static).auto_links = False  # a line that can be clicked keeps its colour

    def show(self, draw: Callable[[int], Content | Text], *, anew: bool = False) -> None:
        """Show what `draw` makes of the columns there are; `anew` begins at the top again."""
        self._drawing = draw
        self._redraw()
        if anew:
            self.scroll_home(animate=False)

    def on_resize(self) -> None:
        self._redraw()

    def _redraw(self) -> None:
        width = min(READING_WIDTH, self.content_size.width - 1)
        if self._drawing is not None and width > 0:  # not while hidden, or not laid out yet
            self.query_one(Static).update(self._drawing(width))
