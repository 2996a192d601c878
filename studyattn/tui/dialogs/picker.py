"""A modal that asks for one of many: type a part of the name, choose, enter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from studyattn.tui.dialogs.dialog import Dialog, keys_line
from studyattn.tui.widgets.header_footer import TextLine


class PickScreen(Dialog[str | None]):
    """Dismisses with the id of what was chosen, or with None when the learner left."""

    CSS_PATH = "picker.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "screen.step(-1)", "Previous", show=False),
        Binding("down", "screen.step(1)", "Next", show=False),
        Binding("escape", "screen.leave", "Cancel", show=False),
    ]

    def __init__(
        self, title: str, choices: Mapping[str, str], explanation: str = "", *, now: str = ""
    ) -> None:
        """`choices` are names by their ids, in order; `now` is the id that is chosen first."""
        super().__init__()
        self._title = title
        self._choices = choices
        self._explanation = explanation
        self._now = now

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content.styled(self._title, "bold"), markup=False)
            if self._explanation:
                yield Static(Content.styled(self._explanation, "$quiet"), markup=False)
            yield TextLine(placeholder="type part of its name", id="words")
            yield OptionList(id="choices", markup=False)
            yield keys_line(("↑↓", "choose"), ("enter", "select"), ("esc", "cancel"))

    def on_mount(self) -> None:
        self._fill()
        self.query_one("#words").focus()

    @property
    def _list(self) -> OptionList:
        return self.query_one("#choices", OptionList)

    @on(Input.Changed)
    def _fill(self) -> None:
        words = self.query_one("#words", Input).value.casefold().split()
        found = [
            Option(Content(name), id=key)
            for key, name in self._choices.items()
            if all(word in name.casefold() for word in words)
        ]
        self._list.set_options(found)
        if found:
            keys = [option.id for option in found]
            self._list.highlighted = keys.index(self._now) if self._now in keys else 0

    def action_step(self, by: int) -> None:
        if by < 0:
            self._list.action_cursor_up()
        else:
            self._list.action_cursor_down()

    @on(Input.Submitted)
    def _take(self) -> None:
        option = self._list.highlighted_option
        if option is not None:
            self.dismiss(option.id)

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)
