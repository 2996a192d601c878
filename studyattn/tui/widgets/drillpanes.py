"""The two halves of the drill screen: code, reading or history in the left, the verdict right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from studyattn.tui.widgets.codeeditor import CodeEditor
from studyattn.tui.widgets.drillhistory import HistoryList
from studyattn.tui.widgets.drillpages import Page

if TYPE_CHECKING:
    from studyattn.study.clock import Clock
    from studyattn.tui.practising import Bench

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

    def show_page(self, page: Page, *, wide: bool) -> None:
        """Show what belongs to the page."""
        self.query_one("#left").display = page is not Page.VERDICT
        self.query_one("#right").display = wide or page is Page.VERDICT
        self._code.display = page is Page.CODE
        self.query_one("#reading").display = page in (Page.BRIEF, Page.HINTS)
        self.history.display = page is Page.HISTORY

    def pane(self, page: Page) -> Widget:
        """What has the keys on that page."""
        targets = {Page.CODE: "#code", Page.VERDICT: "#right", Page.HISTORY: "#history"}
        return self.query_one(targets.get(page, "#reading"))

    def width(self, page: Page, *, wide: bool) -> int:
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

    def fill_history(self, bench: Bench | None, clock: Clock) -> None:
        """List the versions that there are by now."""
        now = clock.now()
        self.history.fill(bench.history if bench else (), now, clock.utc_offset(now))

    def scroll_to_verdict(self) -> None:
        """Back to its first line."""
        self.query_one("#right", VerticalScroll).scroll_home(animate=False)
