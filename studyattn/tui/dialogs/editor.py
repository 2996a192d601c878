"""A modal in which text is written: a card's two faces, a note, the reason for a change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static, TextArea

from studyattn.errors import InputError
from studyattn.tui.actions import Scope, bindings_of
from studyattn.tui.dialogs.dialog import Dialog, keys_line
from studyattn.tui.widgets.text_line import TextLine

_SHARE = 90
"""Percent of the terminal's lines that a dialog may have (`app.tcss`)."""


@dataclass(frozen=True, slots=True)
class Field:
    """One text to write. `lines` is 1 for a single line."""

    name: str
    label: str
    text: str = ""
    lines: int = 1


Written = dict[str, str]
"""What was written, by the fields' names."""


class EditorScreen(Dialog[Written | None]):
    """Dismisses with what was written, or with None when the learner left."""

    CSS_PATH = "editor.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_of(Scope.EDITOR),
        Binding("escape", "screen.leave", "Leave without saving", show=False),
    ]

    def __init__(
        self,
        title: str,
        *fields: Field,
        explanation: str = "",
        save: str = "save",
        leave: str = "don't save",
    ) -> None:
        """`save` and `leave` are the words for what the two ways out do."""
        super().__init__()
        self._ways_out = save, leave
        self._title = title
        self._fields = fields
        self._explanation = explanation

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content.styled(self._title, "bold"), classes="title")
            if self._explanation:
                yield Static(Content.styled(self._explanation, "$quiet"), classes="explanation")
            for field in self._fields:
                if field.label:
                    yield Static(Content.styled(field.label, "$quiet"), classes="label")
                yield self._widget(field)
            yield keys_line(
                ("^s", self._ways_out[0]),
                ("^o", "own editor"),
                *([("tab", "next")] if len(self._fields) > 1 else []),
                ("esc", self._ways_out[1]),
            )

    def _widget(self, field: Field) -> Input | TextArea:
        if field.lines == 1:
            return TextLine(field.text, select_on_focus=False, id=field.name)
        area = TextArea(
            field.text, id=field.name, soft_wrap=True, tab_behavior="focus", compact=True
        )
        area.cursor_blink = False
        area.highlight_cursor_line = False
        area.styles.height = field.lines
        return area

    def on_resize(self, event: events.Resize) -> None:
        # The lines that the dialog may have are shared among the fields that want several.
        height = event.size.height
        areas = [field for field in self._fields if field.lines > 1]
        fixed = 8 + 2 * len(self._fields) + (2 if self._explanation else 0)
        room = max(3 * len(areas), height * _SHARE // 100 - fixed)
        for field in areas:
            share = room * field.lines // sum(each.lines for each in areas)
            self.query_one(f"#{field.name}", TextArea).styles.height = max(
                3, min(field.lines, share)
            )

    def on_input_submitted(self) -> None:
        self.action_save()

    def action_save(self) -> None:
        """Close, with the texts."""
        widgets = {field.name: self.query_one(f"#{field.name}") for field in self._fields}
        self.dismiss(
            {
                name: widget.text if isinstance(widget, TextArea) else widget.value
                for name, widget in widgets.items()
                if isinstance(widget, TextArea | Input)
            }
        )

    async def action_outside(self) -> None:
        """Write the field that has the focus in the learner's own editor."""
        field = self.focused
        if not isinstance(field, Input | TextArea):
            return
        text = field.text if isinstance(field, TextArea) else field.value
        try:
            written = await self.services.edit_text(text)
        except InputError as error:
            self.services.show_error(error)
            return
        if isinstance(field, TextArea):
            field.text = written
        else:
            field.value = " ".join(written.split())
