"""The two halves of the drill screen: code, reading or history in the left, the verdict right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from studyattn.tui.drill.code_editor import CodeEditor
from studyattn.tui.drill.history import HistoryList
from studyattn.tui.drill.pages import DrillPage

if TYPE_CHECKING:
    from studyattn.study.clock import Clock
    from studyattn.tui.drill.controller import DrillState

_READING_WIDTH = 72
_FRAME = 6
"""Columns around the text of a pane that is not laid out yet."""


class DrillPanes(Horizontal):
    """One page at a time where it is narrow; where it is wide, the verdict beside each of them."""

    def __init__(self, code: CodeEditor) -> None:
        super().__init__(id="panes")
        self._code = code
        self.history = HistoryList(id="history")

    def compose(self) -> ComposeResult:
        with Vertical(id="left"):
            yield self._code
            with VerticalScroll(id="reading"):
                yield Static(id="page", markup=False)
            yield self.history
        with VerticalScroll(id="right"):
            yield Static(id="verdict", markup=False)

    def show_page(self, page: DrillPage, *, wide: bool) -> None:
        """Show what belongs to the page."""
        self.query_one("#left").display = page is not DrillPage.VERDICT
        self.query_one("#right").display = wide or page is DrillPage.VERDICT
        self._code.display = page is DrillPage.CODE
        self.query_one("#reading").display = page in (DrillPage.BRIEF, DrillPage.HINTS)
        self.history.display = page is DrillPage.HISTORY

    def pane(self, page: DrillPage) -> Widget:
        """What has the keys on that page."""
        targets = {
            DrillPage.CODE: "#code",
            DrillPage.VERDICT: "#right",
            DrillPage.HISTORY: "#history",
        }
        return self.query_one(targets.get(page, "#reading"))

    def width(self, page: DrillPage, *, wide: bool) -> int:
        """Columns for running text on that page."""
        share = self.screen.size.width // 2 if wide else self.screen.size.width
        room = self.pane(page).scrollable_content_region.width or share - _FRAME
        return max(20, min(_READING_WIDTH, room))

    def read(self, text: Text) -> None:
        """Show a text to read on the left."""
        self.query_one("#page", Static).update(text)

    def judge(self, text: Text | Content) -> None:
        """Show a verdict on the right, or what stands in its place."""
        self.query_one("#verdict", Static).update(text)

    def fill_history(self, bench: DrillState | None, clock: Clock) -> None:
        """List the versions that there are by now."""
        now = clock.now()
        self.history.fill(bench.history if bench else (), now, clock.utc_offset(now))

    def scroll_to_verdict(self) -> None:
        """Back to its first line."""
        self.query_one("#right", VerticalScroll).scroll_home(animate=False)
