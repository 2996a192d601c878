"""All keys, made from the registry of actions; those of the screen that asked come first.

Textual's HelpPanel shows the bindings of the focused widget; this page has those of every screen,
with what each does.
"""

from __future__ import annotations

from collections.abc import Iterable

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from studyattn.tui.actions import ACTIONS, Action, Scope, actions_of
from studyattn.tui.formatting import join_lines, pad, paragraph
from studyattn.tui.screens.base import StudyScreen
from studyattn.tui.widgets.header_footer import Hint, hint

_KEY = 14
_TITLE = 44


class HelpScreen(StudyScreen):
    """Opened by `?` above any screen."""

    SCOPE = Scope.EVERYWHERE
    CSS_PATH = "help.tcss"

    def __init__(self, asked_from: str) -> None:
        super().__init__()
        self._asked_from = asked_from

    def body(self) -> Iterable[Widget]:
        with VerticalScroll(id="keys", classes="page"):
            yield Static(id="page", markup=False)

    def on_mount(self) -> None:
        self.query_one("#keys").focus()

    def draw(self) -> None:
        self.headline("Keys")
        width = min(100, self.size.width - 7)  # less the padding and a scroll bar
        self.query_one("#page", Static).update(draw(self._asked_from, width))

    def hints(self) -> Iterable[Hint]:
        yield hint("back")
        yield hint("palette", "find an action")


def draw(first: str, width: int) -> Content:
    """Return every action by scope, `first` on top; explanations where there is room for them."""
    lines: list[Content] = []
    for scope in dict.fromkeys((first, *Scope, *(action.scope for action in ACTIONS))):
        lines += [Content.styled(str(scope), "$accent bold")]
        for action in actions_of(scope):
            lines += _lines(action, width)
        lines.append(Content())
    return join_lines(lines)


def _lines(action: Action, width: int) -> list[Content]:
    key = pad(Content.styled(action.shown_keys, "bold"), _KEY)
    room = width - _KEY - _TITLE
    explained = action.help.rstrip(".") != action.title
    if room < 30 or not explained:
        return [Content.assemble(key, action.title)]
    wrapped = paragraph(Content.styled(action.help, "$quiet"), room)
    lines = [Content.assemble(key, pad(action.title, _TITLE), wrapped[0])]
    return lines + [Content.assemble(" " * (_KEY + _TITLE), line) for line in wrapped[1:]]
