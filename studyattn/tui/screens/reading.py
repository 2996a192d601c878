"""A page to read: what screens of one text share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from studyattn.tui.screens.base import StudyScreen


class ReadingScreen(StudyScreen):
    """A text that scrolls; below the names of its parts where it has `TABS`."""

    TABS: ClassVar[bool] = False

    def body(self) -> Iterable[Widget]:
        if self.TABS:
            yield Static(id="tabs", markup=False)
        with VerticalScroll(id="reading", classes="" if self.TABS else "page"):
            yield Static(id="page", markup=False)

    def on_mount(self) -> None:
        self.query_one("#reading").focus()

    @property
    def width(self) -> int:
        """Columns for the text, beside its padding and a scroll bar."""
        return max(20, self.size.width - 7)

    def read(self, text: Text | Content) -> None:
        self.query_one("#page", Static).update(text)
