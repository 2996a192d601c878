"""Dialogs that ask for one of many: type a part of the name, or a reason, choose, enter."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, TypeVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from studyattn.memory.state import Rating
from studyattn.study.review.views import RatingChoice
from studyattn.study.rules.practice_series import SuggestedRating
from studyattn.tui.dialogs.dialog import Dialog
from studyattn.tui.theme import THEME_NAMES
from studyattn.tui.widgets.concept_state import NAMES, sign
from studyattn.tui.widgets.header_footer import TextLine
from studyattn.tui.widgets.rating_bar import RATING_COLOURS

T = TypeVar("T")


class ChoiceScreen(Dialog[T | None]):
    """Choices by their ids, and a line above them, which has the keys that are typed."""

    _list = query_one("#choices", OptionList)
    LINE: ClassVar[str] = ""
    """The line's placeholder; without one there is no line."""
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
        choices = OptionList(id="choices", markup=False)
        choices.can_focus = not self.LINE
        yield choices

    def keys(self) -> Iterable[tuple[str, str]]:
        return (("↑↓", "choose"), ("enter", "select"), ("esc", "cancel"))

    def on_mount(self) -> None:
        self.fill(self._choices)

    @property
    def typed(self) -> str:
        """The text in the line."""
        return self.query_one("#words", Input).value

    @abstractmethod
    def answer(self, chosen: str) -> T | None:
        """Return the answer that this choice is."""

    def fill(self, choices: Mapping[str, Content | str]) -> None:
        """Show these."""
        self._list.set_options(Option(each, id=key) for key, each in choices.items())
        if choices:
            self._list.highlighted = [*choices].index(self._now) if self._now in choices else 0

    async def action_cursor(self, way: str) -> None:
        """Choose the one above or below, while the typing goes on."""
        await self._list.run_action(f"cursor_{way}")

    @on(Input.Submitted)
    @on(OptionList.OptionSelected)
    def action_take(self) -> None:
        option = self._list.highlighted_option
        if option is not None and option.id is not None:
            self.dismiss(self.answer(option.id))


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


class ListScreen(ChoiceScreen[str]):
    """A short list; dismisses with the id of what was chosen, or None when the learner left."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "screen.take", "Choose", show=False)]

    def answer(self, chosen: str) -> str:
        return chosen


_WORDS = {"terminal": "terminal: your terminal's own 16 colors"}


class ThemeScreen(PickScreen):
    """Shows each theme while one chooses; the colours of before when it is left."""

    def __init__(self, now: str) -> None:
        super().__init__("Colors", {name: _WORDS.get(name, name) for name in THEME_NAMES}, now=now)
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
                (f" {int(each.rating)} ", f"reverse bold {RATING_COLOURS[each.rating]}"),
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
