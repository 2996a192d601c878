"""The editor of a drill: Python in colours, indent that follows the code, undo.

`TextArea` edits; here is what a key means in Python, and the colours of the theme in use.
"""

from __future__ import annotations

import os
import re
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.widgets.text_area import TextAreaTheme

from studyattn.tui.theme import Look, colours
from studyattn.tui.widgets.synced_text import FiledText

INDENT = 4

_LEAVES_BLOCK = re.compile(r"(return|raise|pass|break|continue)\b")
_OPENS_BLOCK = re.compile(r":\s*(#.*)?$")


class CodeEditor(FiledText):
    """Edits Python. Escape is left to the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("shift+tab", "dedent", "Less indent", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(
            language="python",
            soft_wrap=False,
            tab_behavior="indent",
            show_line_numbers=True,
            max_checkpoints=400,
            compact=True,
            id=id,
        )
        self.indent_width = INDENT
        self.cursor_blink = False
        self.highlight_cursor_line = False

    def wear(self, look: Look) -> None:
        """Draw in the colours of `look`."""
        theme = _theme(look)
        self.register_theme(theme)
        self.theme = theme.name
        self._set_theme(theme.name)

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.prevent_default()  # the screen decides what it means
        elif event.key == "enter":
            self._stop(event)
            self._break_line()
        elif event.key == "tab" and self._selects_lines:
            self._stop(event)
            self._shift_lines(INDENT)

    @staticmethod
    def _stop(event: events.Key) -> None:
        event.stop()
        event.prevent_default()

    def _break_line(self) -> None:
        start, end = sorted(self.selection)
        before = self.document[start[0]][: start[1]]
        self._replace_via_keyboard("\n" + " " * next_indent(before), start, end)

    def action_delete_left(self) -> None:
        """Backspace: within the indent, to the tab stop before."""
        row, column = self.cursor_location
        before = self.document[row][:column]
        if self.selection.is_empty and before and not before.strip(" "):
            self._delete_via_keyboard((row, (column - 1) // INDENT * INDENT), (row, column))
        else:
            super().action_delete_left()

    def action_dedent(self) -> None:
        """Take up to four blanks away before each chosen line."""
        self._shift_lines(-INDENT)

    @property
    def _selects_lines(self) -> bool:
        return self.selection.start[0] != self.selection.end[0]

    def _shift_lines(self, by: int) -> None:
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


def _theme(look: Look) -> TextAreaTheme:
    from studyattn.tui.widgets.rendered_text import palette

    styles_of, worn = palette(look), colours(look)
    plain = look is Look.TERMINAL and "NO_COLOR" in os.environ
    keyword, string, comment = styles_of.keyword, styles_of.string, styles_of.comment
    styles = {
        "keyword": keyword,
        "keyword.function": keyword,
        "keyword.return": keyword,
        "keyword.operator": keyword,
        "conditional": keyword,
        "repeat": keyword,
        "exception": keyword,
        "include": keyword,
        "string": string,
        "string.documentation": string,
        "comment": comment,
        "number": styles_of.number,
        "float": styles_of.number,
        "boolean": styles_of.number,
        "constant.builtin": styles_of.number,
        "function": styles_of.name,
        "function.method": styles_of.name,
        "function.call": "",
        "method": styles_of.name,
        "class": styles_of.name,
        "type.class": styles_of.name,
    }
    gutter = "" if plain else worn.quiet
    return TextAreaTheme(
        name=f"code on {worn.ground} {worn.accent}",
        gutter_style=Style.parse(gutter) if gutter else Style(),
        cursor_line_gutter_style=Style.parse(gutter) if gutter else Style(),
        cursor_style=Style(reverse=True),
        selection_style=Style(reverse=True) if look is Look.TERMINAL else None,
        bracket_matching_style=Style(underline=True),
        syntax_styles={name: Style.parse(style) for name, style in styles.items() if style},
    )
