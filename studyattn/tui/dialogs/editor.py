"""A modal in which text is written: a card's two faces, a note, the reason for a change.

What is written in a field of several lines is kept as a draft until the dialog is closed. The same
dialog about the same text has it again after the app has ended in the middle.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from studyattn.errors import InputError
from studyattn.tui.actions import bindings_of
from studyattn.tui.dialogs.dialog import Dialog
from studyattn.tui.widgets.header_footer import TextLine
from studyattn.tui.widgets.text_areas import Draft, FiledText

_SHARE = 90  # percent of the terminal's lines that a dialog may have (`app.tcss`)
_SECONDS_TO_DRAFT = 1.0
_RESTORED = "This is what you had written when the app closed."


@dataclass(frozen=True, slots=True)
class Field:
    """One text to write. `lines` is 1 for a single line."""

    name: str
    label: str
    text: str = ""
    lines: int = 1


Written = dict[str, str]  # what was written, by the fields' names


class EditorScreen(Dialog[Written | None]):
    """Dismisses with what was written, or with None when the learner left."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of("Editing text")]

    def __init__(
        self,
        title: str,
        *fields: Field,
        explanation: str = "",
        save: str = "save",
        leave: str = "don't save",
    ) -> None:
        """`save` and `leave` are the words for what the two ways out do."""
        super().__init__(title, explanation)
        self._ways_out = save, leave
        self._fields = fields
        self._unsaved: Written | None = None  # None: all is as it was given
        self._drafted: Written | None = None  # what the draft has
        self._keeps_drafts = any(field.lines > 1 for field in fields)

    def content(self) -> Iterable[Widget]:
        left = self._recalled() if self._keeps_drafts else None
        if left is not None:
            self._unsaved = self._drafted = left
            self._explanation = _RESTORED
        for field in self._fields:
            if field.label:
                yield Static(Content.styled(field.label, "$quiet"), classes="label")
            text = field.text if left is None else left[field.name]
            if field.lines == 1:
                yield TextLine(text, select_on_focus=False, id=field.name)
                continue
            area = FiledText(text, id=field.name)
            if text != field.text:
                area.move_cursor(area.document.end)
            area.styles.height = field.lines
            yield area

    def keys(self) -> Iterable[tuple[str, str]]:
        following = [("tab", "next")] if len(self._fields) > 1 else []
        save, leave = self._ways_out
        return (("^s", save), ("^o", "own editor"), *following, ("esc", leave))

    def on_mount(self) -> None:
        if self._keeps_drafts:
            self.set_interval(_SECONDS_TO_DRAFT, self._keep_draft)

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _note_change(self) -> None:
        written = self._written()
        given = {field.name: field.text for field in self._fields}
        self._unsaved = None if written == given else written

    def on_unmount(self) -> None:
        """Keep what was written if the app quits with the dialog open."""
        self._keep_draft()

    def dismiss(self, result: Written | None = None) -> AwaitComplete:
        """Close with `result`; nothing is left to restore."""
        self._unsaved = None
        self._keep_draft()
        self._keeps_drafts = False  # a change may still be on its way
        return super().dismiss(result)

    @property
    def _draft(self) -> Draft:
        """The draft of this learner's dialog about these texts."""
        home = self.services.home
        about = (home.database_shown, self._title, [field.text for field in self._fields])
        digest = hashlib.sha256(json.dumps(about).encode()).hexdigest()
        return Draft(home.root / f"dialog-{digest[:16]}")

    def _recalled(self) -> Written | None:
        """Return what an earlier app left of this dialog, if it can be read."""
        try:
            left = json.loads(self._draft.recall() or "null")
        except ValueError:
            return None
        is_whole = isinstance(left, dict) and left.keys() == {each.name for each in self._fields}
        return left if is_whole and all(isinstance(text, str) for text in left.values()) else None

    def _keep_draft(self) -> None:
        if self._keeps_drafts and self._unsaved != self._drafted:
            self._draft.keep(None if self._unsaved is None else json.dumps(self._unsaved))
            self._drafted = self._unsaved

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
        self.dismiss(self._written())

    def _written(self) -> Written:
        widgets = {field.name: self.query_one(f"#{field.name}") for field in self._fields}
        return {
            name: widget.text if isinstance(widget, TextArea) else widget.value
            for name, widget in widgets.items()
            if isinstance(widget, TextArea | Input)
        }

    async def action_outside(self) -> None:
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
