"""The first model on a page: what it wrote before and writes now, and which parts are yours."""

from __future__ import annotations

from textual.content import Content

from studyattn.study.practice.first_model import CHANGES, FirstModelText
from studyattn.tui.formatting import Lines
from studyattn.tui.screens.first_model_page import FirstModelPage
from studyattn.tui.widgets.first_model import draw_beside
from studyattn.tui.widgets.header_footer import Offers

_WIDEST = 100
_NAME = max(map(len, CHANGES)) + 2


class FirstModelScreen(FirstModelPage, global_keys=False):
    """One page that scrolls."""

    OPENING = "Your model"

    def draw(self) -> None:
        self.headline(self.OPENING, self.date_text())
        if self._model is None:
            self.read(Content.styled("It writes …", "$quiet"))
        else:
            self.read(_drawn(self._model, min(_WIDEST, self.width)))

    def hints(self) -> Offers:
        return ("done",)


def _drawn(model: FirstModelText, width: int) -> Content:
    page = Lines(width)
    page.lines += draw_beside(model, width)
    page.add()
    page.add(("Its parts", "$accent bold"))
    for drill, change in CHANGES.items():
        mark = ("✓ ", "$right") if drill in model.now.parts else ("○ ", "$quiet")
        page.wrap(change, mark=(f"{mark[0]}{drill:<{_NAME}}", mark[1]))
    return page.content
