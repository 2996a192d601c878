"""A text area whose text is kept elsewhere, and may be changed there while it is shown.

The meaning of a key in it is for its subclasses, for code and for notes.
"""

from __future__ import annotations

from textual.widgets import TextArea


class FiledText(TextArea):
    """`begin` shows what is kept; `take` shows what it has become."""

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
