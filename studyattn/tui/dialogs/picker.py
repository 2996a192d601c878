"""A modal that asks for one of many: type a part of the name, choose, enter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from studyattn.tui.dialogs.dialog import Dialog
from studyattn.tui.theme import THEME_NAMES
from studyattn.tui.widgets.header_footer import TextLine


class PickScreen(Dialog[str | None]):
    """Dismisses with the id of what was chosen, or with None when the learner left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "screen.cursor('up')", "Previous", show=False),
        Binding("down", "screen.cursor('down')", "Next", show=False),
    ]

    def __init__(
        self, title: str, choices: Mapping[str, str], explanation: str = "", *, now: str = ""
    ) -> None:
        """`choices` are names by their ids, in order; `now` is the id that is chosen first."""
        super().__init__(title, explanation)
        self._choices = choices
        self._now = now

    def content(self) -> Iterable[Widget]:
        yield TextLine(placeholder="type part of its name", id="words")
        yield OptionList(id="choices", markup=False)

    def keys(self) -> Iterable[tuple[str, str]]:
        return (("↑↓", "choose"), ("enter", "select"), ("esc", "cancel"))

    def on_mount(self) -> None:
        self._fill()

    @property
    def _list(self) -> OptionList:
        return self.query_one("#choices", OptionList)

    @on(Input.Changed)
    def _fill(self) -> None:
        words = self.query_one("#words", Input).value.casefold().split()
        found = {
            key: name
            for key, name in self._choices.items()
            if all(word in name.casefold() for word in words)
        }
        self._list.set_options(Option(Content(name), id=key) for key, name in found.items())
        if found:
            self._list.highlighted = [*found].index(self._now) if self._now in found else 0

    async def action_cursor(self, way: str) -> None:
        """Choose the one above or below, while the typing goes on."""
        await self._list.run_action(f"cursor_{way}")

    @on(Input.Submitted)
    @on(OptionList.OptionSelected)
    def _take(self) -> None:
        option = self._list.highlighted_option
        if option is not None:
            self.dismiss(option.id)


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
