"""Today: what is due now and later, what is known and what is not, the days ahead, one suggestion.

This is the first frame, so nothing is imported here that the first frame does not need.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from studyattn.tui.actions import Place
from studyattn.tui.screens.base import StudyScreen
from studyattn.tui.widgets.lines import Hint, hint

if TYPE_CHECKING:
    from studyattn.study.learner import Learner
    from studyattn.study.today import Today
    from studyattn.study.views import Suggestion

_WIDEST = 100
_TALL = 30  # lines


_OPENING = "Opening your cards …"
_FAILED = Content(
    "\nYour cards could not be opened. Nothing was changed, and nothing is lost.\n\n"
    "When you have done what the message said, try again with r."
)


class TodayScreen(StudyScreen):
    """Always at the bottom of the stack of screens."""

    PLACE = Place.TODAY

    def __init__(self) -> None:
        super().__init__()
        self._today: Today | None = None
        self._failed = False

    def body(self) -> Iterable[Widget]:
        with VerticalScroll(id="day", classes="page"):
            yield Static(id="page", markup=False)

    def on_mount(self) -> None:
        self.query_one("#page").auto_links = False  # a word that can be clicked keeps its colour

    async def load(self) -> None:
        try:
            if self._today is None:
                await self.study.opened()
            self._today = await self.study.desk.ask(_today)
        except Exception:
            self._failed = True
            self.draw()
            self.show_hints()
            raise
        self._failed = False
        self.draw()
        self.show_hints()

    def draw(self) -> None:
        """Draw the day, or, on a first start, three ways to begin."""
        page = self.query_one("#page", Static)
        today = self._today
        if today is None:
            self.headline("studyattn", self.study.date_text())
            page.update(_FAILED if self._failed else Content.styled(_OPENING, "$quiet"))
            return
        from studyattn.tui.widgets import daypage

        width = min(_WIDEST, self.size.width - 6)
        self.headline("studyattn", daypage.headline(today, self.study.date_text()))
        if daypage.is_first_start(today):
            page.update(daypage.draw_first_start(today, width))
        else:
            tall = self.size.height >= _TALL
            page.update(daypage.draw(today, self.study.offset(), width, tall=tall))

    @property
    def suggestion(self) -> Suggestion | None:
        """The change of a concept's state that the program would make."""
        return self._today.suggestion if self._today else None

    def hints(self) -> Iterable[Hint]:
        if self._failed:
            yield hint("today.retry")
            yield hint("go.away")
            return
        if self._today is not None:
            yield hint("today.start")
        if self._today is not None and self._today.drills_now:
            yield hint("today.drills")
        for name in ("concepts", "cards", "notes", "stats", "import"):
            yield hint(f"go.{name}")
        yield hint("today.undo")
        yield hint("go.away")

    def action_back(self) -> None:
        """There is nothing behind Today; the last line says how to leave."""
        self.show_hints("q quits")

    def action_retry(self) -> None:
        """Open or read again what could not be."""
        self.do(self.load)

    def action_start(self) -> None:
        """Review what is due."""
        self.study.go("review")

    def action_drills(self) -> None:
        """Only the drills that are due."""
        self.do(self._drills)

    async def _drills(self) -> None:
        def due(learner: Learner) -> tuple[str, ...]:
            from studyattn.study.queue import due_items

            return tuple(item.guid for item in due_items(learner) if item.kind == "drill")

        drills = await self.study.desk.ask(due)
        if not drills:
            self.show_hints("no drill is due")
            return
        from studyattn.tui.screens.review import ReviewScreen

        self.app.push_screen(ReviewScreen(only=drills))

    def action_accept(self) -> None:
        """Yes to the suggestion."""
        self.do(self._accept)

    async def _accept(self) -> None:
        suggestion = self.suggestion
        if suggestion is None:
            return

        def change(learner: Learner) -> None:
            from studyattn.study.concepts import accept

            accept(learner, suggestion)

        await self.study.desk.ask(change)
        await self.load()
        self.show_hints(f"{suggestion.title} is {suggestion.to_state} now")

    def action_later(self) -> None:
        """Not today."""
        self.do(self._later)

    async def _later(self) -> None:
        suggestion = self.suggestion
        if suggestion is None:
            return

        def put_off(learner: Learner) -> None:
            from studyattn.study import concepts

            concepts.put_off(learner, suggestion)

        await self.study.desk.ask(put_off)
        await self.load()
        self.show_hints("asked again tomorrow")

    def action_undo(self) -> None:
        """Take back the last review, of whatever day."""
        self.do(self._undo)

    async def _undo(self) -> None:
        from studyattn.study.journal import undo

        withdrawn = await self.study.desk.ask(undo)
        await self.load()
        if withdrawn is None or withdrawn.review.rating is None:
            self.show_hints("nothing to undo")
        else:
            rating = withdrawn.review.rating.name.lower()
            self.show_hints(f"undone: {rating} on {withdrawn.review.item_guid}")


def _today(learner: Learner) -> Today:
    """Imports SQLAlchemy, so it runs at the desk."""
    from studyattn.study.today import today

    return today(learner)
