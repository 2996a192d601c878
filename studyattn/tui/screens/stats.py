"""Statistics: how much, how well, how long it holds."""

from __future__ import annotations

from collections.abc import Iterable

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from studyattn.study.statistics.totals import Statistics, statistics
from studyattn.tui.actions import Scope
from studyattn.tui.screens.base import StudyScreen
from studyattn.tui.widgets import charts
from studyattn.tui.widgets.header_footer import Hint, hint


class StatsScreen(StudyScreen):
    """One page that scrolls where the terminal is small."""

    SCOPE = Scope.STATS
    CSS_PATH = "stats.tcss"

    def __init__(self) -> None:
        super().__init__()
        self._statistics: Statistics | None = None

    def body(self) -> Iterable[Widget]:
        with VerticalScroll(id="stats", classes="page"):
            yield Static(id="page", markup=False)

    async def load(self) -> None:
        self._statistics = await self.database.run_with_profile(statistics)
        self.query_one("#stats").focus()
        self.draw()

    def draw(self) -> None:
        self.headline("Stats", self.date_text())
        page = self.query_one("#page", Static)
        if self._statistics is None:
            page.update(Content.styled("Adding up …", "$quiet"))
            return
        width = min(120, self.size.width - 6)
        page.update(charts.draw(self._statistics, self.local_day(), width))

    def hints(self) -> Iterable[Hint]:
        yield hint("back")
        for name in ("today", "concepts", "cards", "settings"):
            yield hint(f"go.{name}")
