"""Placement: one question after another that finds out where the learner is, then the map.

Which questions are asked and what keeping the map means is decided in
`study.concepts.placement`; the map is the screen `placed`.
"""

from __future__ import annotations

from textual.content import Content

from studyattn.packs.answers import AnswerComparison
from studyattn.study.concepts.placement import MapStop, PlacementTest, read_placement
from studyattn.study.review.card_loader import compare
from studyattn.study.review.views import RenderedCard
from studyattn.tui.screens.asking import AskingScreen
from studyattn.tui.screens.base import queued
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.path_view import draw_so_far
from studyattn.tui.widgets.side_panel import ROOM, SidePanel


class PlacementScreen(AskingScreen, global_keys=False, wide=ROOM):
    """The questions; escape leaves without keeping anything."""

    SCOPE = "Placement"
    PLACEHOLDER = "your answer (empty = I don't know)"

    def __init__(self) -> None:
        super().__init__()
        self._test: PlacementTest | None = None
        self._revealed = False
        self._right: bool | None = None  # None: the learner has to say
        self._comparison: AnswerComparison | None = None

    async def load(self) -> None:
        if self._test is None:
            self._test = await self.study(PlacementTest)
            await self._begin()

    # What is shown.

    @property
    def _card(self) -> RenderedCard | None:
        return None if self._test is None else self._test.card

    def draw(self) -> None:
        test, card = self._test, self._card
        if test is None or card is None:
            self.headline("Where are you?")
            return
        self.headline(
            "Where are you?",
            Content.assemble(
                (f"{card.concept_title}   ", "$quiet"), f"{test.number} of at most {test.most}"
            ),
        )
        self.draw_card(card, self._comparison, revealed=self._revealed)
        height = self.size.height - 6
        self.query_one(SidePanel).show(
            lambda columns: draw_so_far(
                test.result(), card.concept_title, at_most=test.most, width=columns, height=height
            )
        )

    def hints(self) -> Offers:
        if self._card is None:
            return ("back",)
        if self.typed.has_focus:
            return (("reveal", "check", "enter"), ("back", "other keys"))
        if not self._revealed:
            return ("reveal missed map", ("back", "leave"))
        next_ = "knew missed" if self._right is None else ("reveal", "next")
        return (next_, ("back", "leave"))

    # What the keys do.

    @queued
    async def action_reveal(self) -> None:
        if not self._revealed:
            await self.submit()
        elif self._right is not None:
            await self._go_on(right=self._right)

    @queued
    async def action_judge(self, right: bool) -> None:
        if self._revealed and self._right is None:
            await self._go_on(right=right)
        elif not self._revealed and not right:
            self._right = False
            await self.submit()

    @queued
    async def action_map(self) -> None:
        await self._show_map()

    async def submit(self) -> None:
        """Show the answer beside what was typed."""
        card = self._card
        if card is None or self._revealed:
            return
        if card.takes_input:
            given = self.typed.value.strip()
            if given and self._right is None:
                self._comparison = await self.database.run(compare, card, given)
            self._right = self._comparison is not None and self._comparison.correct
        self._revealed = True
        self.turn_over()
        self.show_hints()

    async def _go_on(self, *, right: bool) -> None:
        if self._test is not None:
            await self.database.run(self._test.answer, right=right)
            await self._begin()

    async def _begin(self) -> None:
        """Show the next question, or the map after the last one."""
        self._revealed, self._right, self._comparison = False, None, None
        card = self._card
        if card is None:
            await self._show_map()
            return
        self.begin(types=card.takes_input)
        self.draw()
        self.show_hints()

    async def _show_map(self) -> None:
        """Show the map of the answers; without any, the one that was kept last."""
        test = self._test
        if test is None:
            return
        stops: tuple[MapStop, ...] = test.result()
        if test.number == 1:
            stops = await self.study(read_placement)
        self.services.back()
        self.services.go("placed", stops)
