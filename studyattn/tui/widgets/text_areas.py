"""Text areas: what their keys mean in a note or a source, and in the code of a drill; and drafts.

A draft is what is written and not saved, kept in a file beside the app. Whatever ends the app, a
terminal that is closed or a machine that stops, the text is there when it is opened again. When to
write and when to offer it is the screen's to say.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult, TextAreaTheme

from studyattn.text.characters import without_controls
from studyattn.text.links import Names, begun
from studyattn.tui.theme import colours, is_terminal
from studyattn.tui.widgets.rendered_text import palette


class FiledText(TextArea, inherit_bindings=False):
    """`begin` shows what is kept; `take` shows what it has become.

    Its keys are Textual's, apart from `f6`, which means something else in the app.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        each for each in Binding.make_bindings(TextArea.BINDINGS) if each.key != "f6"
    ]

    def __init__(self, text: str = "", **options: Any) -> None:
        """`options` are those of Textual's."""
        options |= {"compact": True, "max_checkpoints": 400, "highlight_cursor_line": False}
        super().__init__(text, **options)
        self.cursor_blink = False

    def begin(self, text: str) -> None:
        """Show `text` with nothing to undo."""
        self.load_text(text)
        self.move_cursor((0, 0))

    def take(self, text: str) -> None:
        """Make `text` the content as one edit, which undo takes back; the cursor stays near."""
        if text == self.text:
            return
        row, column = self.cursor_location
        self.history.checkpoint()
        self.replace(text, (0, 0), self.document.end)
        self.history.checkpoint()
        last = self.document.line_count - 1
        self.move_cursor((min(row, last), min(column, len(self.document[min(row, last)]))))


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
class ChosenText:
    """A selection, or the paragraph with the cursor when nothing is selected."""

    text: str
    row: int  # of its first line, from 0
    paragraph: tuple[str, int, int]  # the lines round it; where in them the selection is
    is_selected: bool


class NoteEditor(FiledText):
    """Escape is left to the screen; tab completes a link, or else leads to the next field."""

    names: Names | None = None

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

    def chosen(self) -> ChosenText:
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
            return ChosenText(paragraph.strip(), first, (paragraph, 0, 0), is_selected=False)
        text = self.selected_text
        place = (paragraph, len(before), len(before) + len(text))
        return ChosenText(text.strip(), start[0], place, is_selected=True)


INDENT = 4

_LEAVES_BLOCK = re.compile(r"(return|raise|pass|break|continue)\b")
_OPENS_BLOCK = re.compile(r":\s*(#.*)?$")


class CodeEditor(FiledText):
    """Edits Python. Escape is left to the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("shift+tab", f"shift({-INDENT})", "Less indent", show=False)
    ]

    def __init__(self, **options: Any) -> None:
        super().__init__(
            language="python", tab_behavior="indent", show_line_numbers=True, **options
        )

    def wear(self) -> None:
        """Draw in the colours of the theme that is worn."""
        styles, worn = palette(), colours()
        theme = TextAreaTheme(
            name=f"code on {worn.ground} {worn.accent}",
            gutter_style=Style.parse(worn.quiet),
            cursor_line_gutter_style=Style.parse(worn.quiet),
            cursor_style=Style(reverse=True),
            selection_style=Style(reverse=True) if is_terminal() else None,
            bracket_matching_style=Style(underline=True),
            syntax_styles={
                name: Style.parse(style)
                for kind, names in _SYNTAX.items()
                for name in names.split()
                if (style := getattr(styles, kind))
            },
        )
        self.register_theme(theme)
        self.theme = theme.name
        self._set_theme(theme.name)

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.prevent_default()  # the screen decides what it means
            return
        if event.key == "enter":
            start, end = sorted(self.selection)
            before = self.document[start[0]][: start[1]]
            self._replace_via_keyboard("\n" + " " * next_indent(before), start, end)
        elif event.key == "tab" and self.selection.start[0] != self.selection.end[0]:
            self.action_shift(INDENT)
        else:
            return
        event.stop()
        event.prevent_default()

    def action_delete_left(self) -> None:
        row, column = self.cursor_location
        before = self.document[row][:column]
        if self.selection.is_empty and before and not before.strip(" "):
            self._delete_via_keyboard((row, (column - 1) // INDENT * INDENT), (row, column))
        else:
            super().action_delete_left()

    def action_shift(self, by: int) -> None:
        (first, start), (last, end) = sorted(self.selection)
        rows = [self.document[row] for row in range(first, last + 1)]
        moved = [shifted(row, by) for row in rows]
        self._replace_via_keyboard("\n".join(moved), (first, 0), (last, len(rows[-1])))
        begin = (first, max(0, start + len(moved[0]) - len(rows[0])))
        finish = (last, max(0, end + len(moved[-1]) - len(rows[-1])))
        self.selection = type(self.selection)(begin, finish)


def next_indent(before: str) -> int:
    """Blanks that the line after `before` begins with."""
    indent = len(before) - len(before.lstrip(" "))
    code = before.strip()
    if _OPENS_BLOCK.search(code):
        return indent + INDENT
    if _LEAVES_BLOCK.match(code):
        return max(0, indent - INDENT)
    return indent


def shifted(line: str, by: int) -> str:
    """`line` with `by` blanks more before it, or up to as many fewer."""
    if by >= 0:
        return " " * by + line if line.strip() else line
    indent = len(line) - len(line.lstrip(" "))
    return line[min(-by, indent) :]


_SYNTAX: Final = {
    "keyword": "keyword keyword.function keyword.return keyword.operator "
    "conditional repeat exception include",
    "string": "string string.documentation",
    "comment": "comment",
    "number": "number float boolean constant.builtin",
    "name": "function function.method method class type.class",
}
"""The names that tree-sitter has for what the palette styles."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The unsaved text for `file`. Where no file can be written there is none; saving tells why."""

    file: Path

    @property
    def path(self) -> Path:
        """A hidden file in the same folder."""
        return self.file.with_name(f".{self.file.name}.unsaved")

    def keep(self, text: str | None) -> None:
        """Let it be `text`, all of it or what it was before; None: everything is saved."""
        with contextlib.suppress(OSError):
            if text is None:
                self.path.unlink(missing_ok=True)
                return
            written = self.path.with_suffix(".writing")
            written.write_bytes(text.encode("utf-8", "replace"))
            written.replace(self.path)

    @property
    def is_overtaken(self) -> bool:
        """True if the file was written after the draft."""
        try:
            return self.file.stat().st_mtime_ns > self.path.stat().st_mtime_ns
        except OSError:
            return False

    def recall(self) -> str | None:
        """Return what an app that was killed left behind; None if there is nothing."""
        try:
            return self.path.read_bytes().decode("utf-8", "replace")
        except OSError:
            return None
