"""All keys, made from the registry of actions; those of the screen that asked come first.

Textual's HelpPanel shows the bindings of the focused widget; this page has those of every screen,
with what each does.
"""

from __future__ import annotations

from textual.content import Content

from studyattn.tui.actions import ACTIONS, EVERYWHERE, actions_of, show_key
from studyattn.tui.formatting import join_lines, pad, paragraph
from studyattn.tui.screens.base import ReadingScreen

_KEY = 15
_TITLE = 44
_WIDEST = 101


class HelpScreen(ReadingScreen):
    """Opened by `?` above any screen: every action by scope, that of this screen on top.

    Actions are explained where there is room for it.
    """

    SCOPE = EVERYWHERE
    HINTS = ("back", ("palette", "find an action"))

    def __init__(self, asked_from: str) -> None:
        super().__init__()
        self._asked_from = asked_from

    def draw(self) -> None:
        self.headline("Keys")
        lines: list[Content] = []
        room = min(_WIDEST, self.width) - _KEY - _TITLE
        for scope in dict.fromkeys((self._asked_from, *(action.scope for action in ACTIONS))):
            lines += [Content.styled(str(scope), "$accent bold")]
            for action in actions_of(scope):
                key = pad(Content.styled(" ".join(map(show_key, action.keys)), "bold"), _KEY)
                if room < 30 or action.help.rstrip(".") == action.title:
                    lines.append(Content.assemble(key, action.title))
                    continue
                first_line, *others = paragraph(Content.styled(action.help, "$quiet"), room)
                lines.append(Content.assemble(key, pad(action.title, _TITLE), first_line))
                lines += [Content.assemble(" " * (_KEY + _TITLE), line) for line in others]
            lines.append(Content())
        self.read(join_lines(lines))
