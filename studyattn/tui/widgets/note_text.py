"""Where a note is written, or a source read: plain Markdown, `[[` completed to a concept's name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from textual import events
from textual.widgets.text_area import Edit, EditResult

from studyattn.text.characters import without_controls
from studyattn.text.links import begun
from studyattn.tui.widgets.synced_text import FiledText

if TYPE_CHECKING:
    from studyattn.text.links import Names

LONGEST: Final = 300_000
LONGEST_LINE: Final = 20_000
"""Characters up to which a key press is answered at once, of the text and of each of its lines."""


def fits(text: str) -> bool:
    """Return True if the text is short enough to be written here."""
    return len(text) <= LONGEST and all(len(line) <= LONGEST_LINE for line in text.split("\n"))


def shown(text: str) -> str:
    """The text as a terminal may be given it: a control character in it becomes `�`.

    Terminals send a carriage return for each end of line in what is pasted.
    """
    return without_controls(text.replace("\r\n", "\n").replace("\r", "\n"))


@dataclass(frozen=True, slots=True)
class Chosen:
    """A selection, or the paragraph with the cursor when nothing is selected."""

    text: str
    row: int  # of its first line, from 0
    paragraph: tuple[str, int, int]  # the lines round it; where in them the selection is
    is_selected: bool


class NoteEditor(FiledText):
    """Escape is left to the screen; tab completes a link, or else leads to the next field."""

    def __init__(self, *, read_only: bool = False, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(
            soft_wrap=True,
            tab_behavior="focus",
            compact=True,
            max_checkpoints=400,
            read_only=read_only,
            id=id,
        )
        self.cursor_blink = False
        self.highlight_cursor_line = False
        self.names: Names | None = None

    @property
    def offset_of_cursor(self) -> int:
        """Characters before the cursor."""
        row, column = self.cursor_location
        return sum(len(self.document[each]) + 1 for each in range(row)) + column

    def go_to(self, offset: int) -> None:
        """Put the cursor behind so many characters, and bring it into view."""
        before = self.text[:offset]
        row = before.count("\n")
        self.move_cursor((row, len(before) - before.rfind("\n") - 1), center=True)

    def edit(self, edit: Edit) -> EditResult:
        """Whatever is typed or pasted is text that a terminal can be given."""
        return super().edit(replace(edit, text=shown(edit.text)))

    def update_suggestion(self) -> None:
        """Behind `[[so`: what is missing of the first name that begins so."""
        row, column = self.cursor_location
        line = self.document[row]
        rest = "" if line[column:].strip() else self._completion(line[:column])
        self.suggestion = rest

    def _completion(self, before: str) -> str:
        if self.names is None or "[[" not in before:
            return ""
        part = begun(before)
        if part is None or not part.strip():
            return ""
        names = (
            name
            for target in self.names.beginning(part)
            for name in (target.title, target.slug)
            if name.casefold().startswith(part.casefold())
        )
        name = next(names, None)
        return "" if name is None else f"{name[len(part) :]}]]"

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.prevent_default()  # the screen decides what it means
        elif event.key == "tab" and self.suggestion:
            event.stop()
            event.prevent_default()
            self.insert(self.suggestion)

    def chosen(self) -> Chosen:
        """Return the text that a card can be made of."""
        start, end = sorted(self.selection)
        first, last = start[0], end[0]
        while first > 0 and self.document[first - 1].strip() and self.document[first].strip():
            first -= 1
        count = self.document.line_count
        while last + 1 < count and self.document[last + 1].strip() and self.document[last].strip():
            last += 1
        paragraph = "\n".join(self.document[row] for row in range(first, last + 1))
        before = "\n".join(
            [
                *(self.document[row] for row in range(first, start[0])),
                self.document[start[0]][: start[1]],
            ]
        )
        if start == end:
            return Chosen(paragraph.strip(), first, (paragraph, 0, 0), is_selected=False)
        text = self.selected_text
        place = (paragraph, len(before), len(before) + len(text))
        return Chosen(text.strip(), start[0], place, is_selected=True)
