"""A line to type in. Its cursor does not blink: nothing moves unless the learner did something."""

from __future__ import annotations

from textual.widgets import Input


class TextLine(Input):
    """Textual's `Input`, at rest."""

    def __init__(
        self,
        value: str = "",
        placeholder: str = "",
        *,
        select_on_focus: bool = True,
        compact: bool = False,
        id: str | None = None,  # noqa: A002 - Textual's own name
    ) -> None:
        super().__init__(
            value, placeholder, select_on_focus=select_on_focus, compact=compact, id=id
        )
        self.cursor_blink = False
