"""Dialogs of one question: a frame with title, keys and way out, and what is asked most often.

A page to read, yes or no, and one of many: type a part of the name, or a reason, choose, enter.
Each returns what the learner answered, or None where they left.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, TypeVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.getters import query_one
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from studyattn.memory.state import Rating
from studyattn.study.review.views import RatingChoice
from studyattn.study.rules.practice_series import SuggestedRating
from studyattn.tui.formatting import READING_WIDTH, rating_style
from studyattn.tui.pictures import PictureText
from studyattn.tui.services import Services, services_of
from studyattn.tui.theme import SCREENS_SHEET, THEME_NAMES
from studyattn.tui.widgets.concept_state import NAMES, sign
from studyattn.tui.widgets.header_footer import KeyedList, TextLine

T = TypeVar("T")

Drawing = Callable[[int], Content | Text]  # draws the text for a width in columns

_FRAME = 8  # columns around the text of a page: border, padding, scroll bar


class Dialog(ModalScreen[T]):
    """Title, explanation, `content`, and a line that names `keys`; escape leaves it."""

    CSS_PATH = SCREENS_SHEET
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "screen.leave", "Leave", show=False)]

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
        yield VerticalScroll(PictureText(id="drawing", markup=False), id="text")

    def keys(self) -> Iterable[tuple[str, str]]:
        return (("↑↓", "scroll"), ("esc", "close"))

    def on_mount(self) -> None:
        self.query_one(".dialog").styles.max_width = self._widest + _FRAME

    def on_resize(self) -> None:
        self.call_after_refresh(self.paint)

    def paint(self) -> None:
        """Draw the text at the present width, beside the scroll bar that may come with it."""
        width = min(self._widest, self.query_one("#text").content_size.width - 1)
        self.query_one("#drawing", Static).update(self._drawing(max(20, width)))


class ConfirmScreen(Dialog[bool | None]):
    """A question that is asked only where an answer cannot be undone."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "screen.dismiss(True)", "Yes", show=False)
    ]

    def __init__(self, question: str, told: str) -> None:
        super().__init__(question)
        self._told = told

    def content(self) -> Iterable[Widget]:
        yield Static(Content(self._told))

    def keys(self) -> Iterable[tuple[str, str]]:
        return (("y", "yes"), ("esc", "no"))


class ChoiceScreen(Dialog[T | None]):
    """Choices by their ids, and a line above them, which has the keys that are typed."""

    _list = query_one("#choices", KeyedList)
    LINE: ClassVar[str] = ""  # the line's placeholder; without one there is no line
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "screen.cursor('up')", "Previous", show=False),
        Binding("down", "screen.cursor('down')", "Next", show=False),
    ]

    def __init__(
        self,
        title: str,
        choices: Mapping[str, Content | str],
        explanation: str = "",
        *,
        now: str = "",
    ) -> None:
        """`choices` are in order; `now` is the id that is chosen first."""
        super().__init__(title, explanation)
        self._choices = choices
        self._now = now

    def content(self) -> Iterable[Widget]:
        if self.LINE:
            yield TextLine(placeholder=self.LINE, id="words")
        choices = KeyedList(id="choices", markup=False)
        choices.can_focus = not self.LINE
        yield choices

    def keys(self) -> Iterable[tuple[str, str]]:
        return (("↑↓", "choose"), ("enter", "select"), ("esc", "cancel"))

    def on_mount(self) -> None:
        self.fill(self._choices)

    @property
    def typed(self) -> str:
        return self.query_one("#words", Input).value

    @abstractmethod
    def answer(self, chosen: str) -> T | None:
        """Return the answer that this choice is."""

    def fill(self, choices: Mapping[str, Content | str]) -> None:
        self._list.show(choices, self._now if self._now in choices else next(iter(choices), None))

    async def action_cursor(self, way: str) -> None:
        """Choose the one above or below, while the typing goes on."""
        await self._list.run_action(f"cursor_{way}")

    @on(Input.Submitted)
    @on(OptionList.OptionSelected)
    def action_take(self) -> None:
        if (chosen := self._list.key) is not None:
            self.dismiss(self.answer(chosen))


class PickScreen(ChoiceScreen[str]):
    """Dismisses with the id of what was chosen, or with None when the learner left."""

    LINE = "type part of its name"

    def answer(self, chosen: str) -> str:
        return chosen

    @on(Input.Changed)
    def _narrow(self) -> None:
        words = self.typed.casefold().split()
        found = {
            key: name
            for key, name in self._choices.items()
            if all(word in str(name).casefold() for word in words)
        }
        self.fill(found)


class ListScreen(PickScreen):
    """The same for a short list, without a line."""

    LINE = ""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "screen.take", "Choose", show=False)]


class ThemeScreen(PickScreen):
    """Shows each theme while one chooses; the colours of before when it is left."""

    def __init__(self, now: str) -> None:
        names = dict(zip(THEME_NAMES, THEME_NAMES, strict=True))
        names["terminal"] = "terminal: your terminal's own 16 colors"
        super().__init__("Colors", names, now=now)
        self._before = now

    @on(OptionList.OptionHighlighted)
    def _show(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_id is not None and self.is_current:
            self.services.show_theme(event.option_id)

    def action_leave(self) -> None:
        self.services.show_theme(self._before)
        super().action_leave()


class RatingScreen(ChoiceScreen[Rating]):
    """The question how a drill went: dismisses with a rating, the suggested one at enter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *[Binding(str(int(each)), f"screen.rate({int(each)})", show=False) for each in Rating],
        Binding("space,r", "screen.take", "As chosen", show=False),
    ]

    def __init__(self, suggested: SuggestedRating, choices: Sequence[RatingChoice]) -> None:
        lines = {
            str(int(each.rating)): Content.assemble(
                (f" {int(each.rating)} ", f"reverse bold {rating_style(each.rating)}"),
                f" {each.rating.name.lower():<8}",
                (each.interval, "$quiet"),
            )
            for each in choices
        }
        told = f"{suggested.reason} Suggested: {suggested.rating.name.lower()}."
        super().__init__("Rate and finish", lines, told, now=str(int(suggested.rating)))

    def answer(self, chosen: str) -> Rating:
        return Rating(int(chosen))

    def action_rate(self, rating: int) -> None:
        self.dismiss(Rating(rating))


class MoveScreen(ChoiceScreen[tuple[str, str]]):
    """The question where a concept goes, and why: its state, and a reason that may be empty."""

    LINE = "reason (optional)"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "screen.take", "Move", show=False)]

    def __init__(self, title: str, state: str, to: str | None = None) -> None:
        """Ask about a concept in `state`; `to` is chosen first, else the state that comes next."""
        order = list(NAMES)
        to = to or order[min(order.index(state) + 1, len(order) - 1)]
        lines = {
            each: Content.assemble(
                sign(each), f" {name}", ("  (current)" if each == state else "", "$quiet")
            )
            for each, name in NAMES.items()
        }
        super().__init__(title, lines, now=order[-2] if to == state else to)
        self._state = state

    def keys(self) -> Iterable[tuple[str, str]]:
        return (("↑↓", "state"), ("enter", "move"), ("esc", "cancel"))

    def answer(self, chosen: str) -> tuple[str, str] | None:
        """Return no destination where the concept is there already."""
        return None if chosen == self._state else (chosen, self.typed.strip())
