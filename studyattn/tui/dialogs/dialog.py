"""Dialogs of one question: a frame with title, keys and way out, and what is asked most often.

A page to read, yes or no; `tui.dialogs.picker` has those that choose one of several. Each returns
what the learner answered, or None where they left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from studyattn.tui.formatting import READING_WIDTH
from studyattn.tui.pictures.canvas import PictureText
from studyattn.tui.services import Services, services_of
from studyattn.tui.theme import SCREENS_SHEET

T = TypeVar("T")

Drawing = Callable[[int], Content | Text]
"""Draws the text for a width in columns."""

_FRAME = 8  # columns around the text of a page: border, padding, scroll bar


class Dialog(ModalScreen[T]):
    """Title, explanation, `content`, and a line that names `keys`; escape leaves it."""

    CSS_PATH = SCREENS_SHEET
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "screen.leave", "Leave", show=False),
    ]

    def __init__(self, title: str, explanation: str = "") -> None:
        super().__init__()
        self._title = title
        self._explanation = explanation

    @property
    def services(self) -> Services:
        """The app, as far as a dialog may ask something of it."""
        return services_of(self)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            content = list(self.content())  # it may have more to say in the explanation
            yield Static(Content.styled(self._title, "bold"), classes="title")
            if self._explanation:
                yield Static(Content.styled(self._explanation, "$quiet"), classes="explanation")
            yield from content
            parts = (
                Content.assemble((key, "$accent bold"), " ", word) for key, word in self.keys()
            )
            yield Static(Content("   ").join(parts), id="keys", classes="keys", markup=False)

    def content(self) -> Iterable[Widget]:
        """The widgets between title and keys."""
        return ()

    def keys(self) -> Iterable[tuple[str, str]]:
        """Return keys of the last line, with a word for each."""
        return ()

    def on_mount(self) -> None:
        for text in self.query(Static):
            text.auto_links = False  # a line that can be clicked keeps its colours

    def action_leave(self) -> None:
        self.dismiss(None)


class PageScreen(Dialog[None]):
    """A text that scrolls with the arrows; it closes also with the key that opened it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,i,q", "screen.leave", "Close", show=False)
    ]

    def __init__(self, title: str, drawing: Drawing, widest: int = READING_WIDTH) -> None:
        """`widest`: columns that the text has at most."""
        super().__init__(title)
        self._widest = widest
        self._drawing = drawing

    def content(self) -> Iterable[Widget]:
        text = VerticalScroll(PictureText(id="drawing", markup=False), id="text")
        yield text

    def keys(self) -> Iterable[tuple[str, str]]:
        return (("↑↓", "scroll"), ("esc", "close"))

    def on_mount(self) -> None:
        self.query_one(".dialog").styles.max_width = self._widest + _FRAME

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    def draw(self) -> None:
        """Draw the text at the present width, beside the scroll bar that may come with it."""
        width = min(self._widest, self.query_one("#text").content_size.width - 1)
        self.query_one("#drawing", Static).update(self._drawing(max(20, width)))


class ConfirmScreen(Dialog[bool | None]):
    """A question that is asked only where an answer cannot be undone."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "screen.dismiss(True)", "Yes", show=False),
    ]

    def __init__(self, question: str, told: str) -> None:
        super().__init__(question)
        self._told = told

    def content(self) -> Iterable[Widget]:
        yield Static(Content(self._told))

    def keys(self) -> Iterable[tuple[str, str]]:
        return (("y", "yes"), ("esc", "no"))
