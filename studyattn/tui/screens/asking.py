"""A screen that asks: a card, a line to type an answer in, and what is beside them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input, Static

from studyattn.packs.answers import AnswerComparison
from studyattn.packs.card_kinds import kind_named
from studyattn.study.review.card_loader import compare
from studyattn.study.review.views import RenderedCard
from studyattn.tui.formatting import READING_WIDTH
from studyattn.tui.pictures import PictureText
from studyattn.tui.screens.base import StudyScreen
from studyattn.tui.widgets import card_face
from studyattn.tui.widgets.header_footer import SidePanel, TextLine


class AskingScreen(StudyScreen):
    """A question, `#front`, the line, and `#back`, all in `#card`, which scrolls.

    While the line has the focus, keys are typed; escape leaves it.
    """

    PLACEHOLDER: ClassVar[str] = "your answer"
    is_revealed = False  # whether the answer is shown
    comparison: AnswerComparison | None = None  # of what was typed with the answer
    typed = query_one("#typed", Input)
    card = query_one("#card", VerticalScroll)  # it has the keys while nothing is typed
    front, back = query_one("#front", Static), query_one("#back", Static)

    def body(self) -> Iterable[Widget]:
        with Horizontal(id="panes"):
            with Vertical(id="asked"):
                with VerticalScroll(id="card", classes="page"), Vertical(classes="column"):
                    yield PictureText(id="front", markup=False)
                    yield TextLine(placeholder=self.PLACEHOLDER, id="typed")
                    yield PictureText(id="back", markup=False)
                yield from self.below()
            yield self.beside()

    def below(self) -> Iterable[Widget]:
        return ()

    def beside(self) -> SidePanel:
        return SidePanel()

    def on_mount(self) -> None:
        self.typed.display = self.back.display = False  # until something is asked and answered

    @property
    def width(self) -> int:
        return min(READING_WIDTH, self.size.width - 8)

    def begin(self, *, types: bool) -> None:
        """Begin with what is asked now, at its top, with a line to type in or without one."""
        self.is_revealed, self.comparison = False, None
        self.typed.value = ""
        self.typed.display = types
        (self.typed if types else self.card).focus()
        self.card.scroll_home(animate=False)

    def draw_card(self, shown: RenderedCard) -> None:
        revealed = self.is_revealed
        self.front.display = not (revealed and kind_named(shown.card_kind).answer_replaces_question)
        self.back.display = revealed
        self.front.update(card_face.front(shown, self.width))
        self.back.update(card_face.back(shown, self.comparison, self.width) if revealed else "")

    async def compare_typed(self, shown: RenderedCard) -> None:
        """Compare what was typed, if anything, with the answer."""
        if shown.takes_input and (given := self.typed.value.strip()):
            self.comparison = await self.database.run(compare, shown, given)

    def turn_over(self) -> None:
        """Draw the answer, and take the line away."""
        self.is_revealed = True
        self.typed.display = False
        self.card.focus()
        self.draw()

    async def submit(self) -> None:
        """Take what was typed."""

    def on_input_submitted(self) -> None:
        self.do(self.submit)

    def action_write(self) -> None:
        if self.typed.display:
            self.typed.focus()

    def action_back(self) -> None:
        if self.typed.has_focus:
            self.card.focus()
        else:
            super().action_back()
