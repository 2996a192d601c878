"""A modal in which text is written: a card's two faces, a note, the reason for a change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static, TextArea

from studyattn.errors import InputError
from studyattn.tui.actions import Scope, bindings_of

if TYPE_CHECKING:
    from studyattn.tui.app import StudyApp


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


class EditorScreen(ModalScreen[Written | None]):
    """Dismisses with what was written, or with None when the learner left."""

    CSS_PATH = "editor.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_of(Scope.EDITOR),
        Binding("escape", "screen.leave", "Leave without saving", show=False),
    ]

    def __init__(self, title: str, *fields: Field, explanation: str = "") -> None:
        super().__init__()
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
            yield Static(self._keys(), classes="keys")

    def _widget(self, field: Field) -> Input | TextArea:
        if field.lines == 1:
            line = Input(field.text, id=field.name)
            line.cursor_blink = False
            line.select_on_focus = False
            return line
        area = TextArea(
            field.text, id=field.name, soft_wrap=True, tab_behavior="focus", compact=True
        )
        area.cursor_blink = False
        area.highlight_cursor_line = False
        area.styles.height = field.lines
        return area

    def _keys(self) -> Content:
        parts = [
            Content.assemble(("^s", "$accent bold"), " save"),
            Content.assemble(("^o", "$accent bold"), " own editor"),
        ]
        if len(self._fields) > 1:
            parts.append(Content.assemble(("tab", "$accent bold"), " next"))
        parts.append(Content.assemble(("esc", "$accent bold"), " don't save"))
        return Content("   ").join(parts)

    def on_mount(self) -> None:
        first = self.query_one(f"#{self._fields[0].name}")
        first.focus()
        self._fit(self.size.height)

    def on_resize(self, event: events.Resize) -> None:
        self._fit(event.size.height)

    def _fit(self, height: int) -> None:
        """Share the lines that the dialog may have among the fields that want several."""
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
        self.dismiss({field.name: self._text(field.name) for field in self._fields})

    async def action_outside(self) -> None:
        """Write the field that has the focus in the learner's own editor."""
        field = self.focused
        if not isinstance(field, Input | TextArea):
            return
        app = cast("StudyApp", self.app)
        text = field.text if isinstance(field, TextArea) else field.value
        try:
            written = await app.edit_outside(text)
        except InputError as error:
            app.show_trouble(error)
            return
        if isinstance(field, TextArea):
            field.text = written
        else:
            field.value = " ".join(written.split())

    def action_leave(self) -> None:
        """Close, with nothing."""
        self.dismiss(None)

    def _text(self, name: str) -> str:
        widget = self.query_one(f"#{name}")
        return widget.text if isinstance(widget, TextArea) else str(getattr(widget, "value", ""))
