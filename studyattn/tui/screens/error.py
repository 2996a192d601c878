"""The modal that says what went wrong, what to do, and that nothing is lost."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from studyattn.tui.error_notice import Trouble


class TroubleScreen(ModalScreen[None]):
    """Closes with escape, enter or space."""

    BINDINGS: ClassVar = [Binding("escape,enter,space", "app.pop_screen", "Close", show=False)]
    AUTO_FOCUS = ""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__()
        self.trouble = trouble

    def compose(self) -> ComposeResult:
        trouble = self.trouble
        lines = [Content.assemble(("✗ ", "$wrong bold"), (trouble.title, "bold")), Content()]
        if trouble.where:
            lines.append(Content.styled(trouble.where, "$quiet"))
        lines += [Content(trouble.what), Content(), Content(trouble.advice)]
        lines += [Content(), Content.assemble(("enter", "$accent bold"), " close")]
        with VerticalScroll(classes="dialog", can_focus=False):
            yield Static(Content("\n").join(lines))
