"""Dialogs of one question: a frame with title, keys and way out, and what is asked most often.

A page to read, yes or no, a rating, the state to which a concept is moved. Each returns what the
learner answered, or None where they left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Input, Static

from studyattn.memory.state import Rating
from studyattn.study.review.views import RatingChoice
from studyattn.study.rules.rating_suggestion import SuggestedRating
from studyattn.tui.formatting import READING_WIDTH, join_lines
from studyattn.tui.pictures.canvas import PictureText
from studyattn.tui.services import Services, services_of
from studyattn.tui.theme import SCREENS_SHEET
from studyattn.tui.widgets.concept_state import NAMES, sign
from studyattn.tui.widgets.header_footer import TextLine
from studyattn.tui.widgets.rating_bar import RATING_COLOURS

T = TypeVar("T")

Drawing = Callable[[int], Content | Text]
"""Draws the text for a width in columns."""

_FRAME = 8
"""Columns around the text of a page: border, padding, scroll bar."""


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
        Binding("n", "screen.leave", "No", show=False),
    ]

    def __init__(self, question: str, told: str) -> None:
        super().__init__(question)
        self._told = told

    def content(self) -> Iterable[Widget]:
        yield Static(Content(self._told))

    def keys(self) -> Iterable[tuple[str, str]]:
        return (("y", "yes"), ("n", "no"))


def _pointer(here: bool) -> tuple[str, str]:
    return ("▸ " if here else "  ", "$accent bold")


class RatingScreen(Dialog[Rating | None]):
    """How a drill went: dismisses with a rating, the suggested one at enter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *[Binding(str(int(each)), f"screen.rate({int(each)})", show=False) for each in Rating],
        Binding("enter,space,r", "screen.rate(0)", "As suggested", show=False),
    ]

    def __init__(self, suggested: SuggestedRating, choices: Sequence[RatingChoice]) -> None:
        super().__init__("Rate and finish")
        self._suggested = suggested
        self._choices = choices

    def content(self) -> Iterable[Widget]:
        suggested = self._suggested.rating
        told = (self._suggested.reason, " Suggested: ", (suggested.name.lower(), "bold"), ".")
        lines = [Content.assemble(*told), Content()]
        for rating, interval in ((each.rating, each.interval) for each in self._choices):
            line = Content.assemble(
                _pointer(rating is suggested),
                (f" {int(rating)} ", f"reverse bold {RATING_COLOURS[rating]}"),
                (f" {rating.name.lower():<8}", "bold" if rating is suggested else ""),
                (interval, "$quiet"),
            )
            click = Style.from_meta({"@click": f"screen.rate({int(rating)})"})
            lines.append(line.stylize(click))
        yield Static(join_lines(lines), id="ratings")

    def keys(self) -> Iterable[tuple[str, str]]:
        return (("enter", self._suggested.rating.name.lower()), ("esc", "cancel"))

    def action_rate(self, rating: int) -> None:
        self.dismiss(Rating(rating or self._suggested.rating))


@dataclass(frozen=True, slots=True)
class Destination:
    """The state that a concept is moved to, and the reason."""

    state: str
    reason: str


class MoveScreen(Dialog[Destination | None]):
    """Where a concept goes, and why: the reason may stay empty."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "screen.step(-1)", "Previous state", show=False),
        Binding("down", "screen.step(1)", "Next state", show=False),
        Binding("enter,ctrl+s", "screen.move", "Move", show=False),
    ]

    def __init__(self, title: str, state: str, to: str | None = None) -> None:
        """Ask about a concept in `state`; `to` is chosen first, else the state that comes next."""
        super().__init__(title)
        self._state = state
        order = list(NAMES)
        self._chosen = to or order[min(order.index(state) + 1, len(order) - 1)]
        if self._chosen == state:
            self._chosen = order[-2]

    def content(self) -> Iterable[Widget]:
        yield Static(id="states", markup=False)
        yield Static(Content.styled("Reason (optional)", "$quiet"), classes="label")
        yield TextLine(id="reason")

    def keys(self) -> Iterable[tuple[str, str]]:
        return (("↑↓", "state"), ("enter", "move"), ("esc", "cancel"))

    def on_mount(self) -> None:
        self.action_choose(self._chosen)

    def action_step(self, by: int) -> None:
        order = list(NAMES)
        self.action_choose(order[(order.index(self._chosen) + by) % len(order)])

    def action_choose(self, chosen: str) -> None:
        self._chosen = chosen
        lines = []
        for state, name in NAMES.items():
            here = ("  (current)" if state == self._state else "", "$quiet")
            style = "bold" if state == chosen else ""
            line = Content.assemble(
                _pointer(state == chosen), sign(state), " ", (name, style), here
            )
            lines.append(line.stylize(Style.from_meta({"@click": f"screen.choose('{state}')"})))
        self.query_one("#states", Static).update(join_lines(lines))

    def on_input_submitted(self) -> None:
        self.action_move()

    def action_move(self) -> None:
        """Close, with no destination where the concept is there already."""
        reason = self.query_one("#reason", Input).value.strip()
        there = self._chosen == self._state
        self.dismiss(None if there else Destination(self._chosen, reason))
