"""A modal that shows a text to read: about a card, what an example printed, a concept's page."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from studyattn.tui.dialogs.dialog import Dialog, keys_line
from studyattn.tui.formatting import READING_WIDTH
from studyattn.tui.widgets.picture import PictureText

_FRAME = 8
"""Columns around the text: border, padding, scroll bar."""

Drawing = Callable[[int], Content | Text]
"""Draws the text for a width in columns."""


class PageScreen(Dialog[None]):
    """Scrolls with the arrows; closes with escape, enter, space or the key that opened it."""

    CSS_PATH = "text_page.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,i,q", "app.pop_screen", "Close", show=False)
    ]

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (("↑↓", "scroll"), ("esc", "close"))
    """What its last line names."""

    def __init__(self, title: str, drawing: Drawing, widest: int = READING_WIDTH) -> None:
        """`widest`: columns that the text has at most."""
        super().__init__()
        self._widest = widest
        self._title = title
        self._drawing = drawing

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.styles.max_width = self._widest + _FRAME
            yield Static(Content.styled(self._title, "bold"), classes="title")
            with VerticalScroll(id="text"):
                yield PictureText(id="drawing", markup=False)
            yield keys_line(*self.KEYS)

    def on_mount(self) -> None:
        self.query_one("#text").focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    def draw(self) -> None:
        """Draw the text at the present width, beside the scroll bar that may come with it."""
        width = min(self._widest, self.query_one("#text").content_size.width - 1)
        self.query_one("#drawing", Static).update(self._drawing(max(20, width)))
