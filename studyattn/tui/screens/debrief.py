"""After a drill: your code beside the solution, what the mistakes were, what comes next."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from studyattn.study.practice.debrief import Debrief
from studyattn.study.practice.drill_log import find_drill
from studyattn.tui.actions import Scope
from studyattn.tui.dialogs.picker import PickScreen
from studyattn.tui.drill.grader import GradingThread
from studyattn.tui.screens.base import StudyScreen
from studyattn.tui.widgets import debrief_view
from studyattn.tui.widgets.header_footer import Hint, hint

if TYPE_CHECKING:
    from studyattn.grading.verdict import Report


class DebriefScreen(StudyScreen, global_keys=False):
    """One page that scrolls. The solution's cost is measured while the page is read."""

    SCOPE = Scope.DEBRIEF
    CSS_PATH = "debrief.tcss"

    def __init__(self, debrief: Debrief) -> None:
        super().__init__()
        self._debrief = debrief
        self._grader: GradingThread | None = None
        self._cost: dict[str, Any] | None = None  # of the solution

    def body(self) -> Iterable[Widget]:
        with VerticalScroll(id="debrief", classes="page"):
            yield Static(id="page", markup=False)

    async def load(self) -> None:
        self.query_one("#debrief").focus()
        if self._debrief.cost is not None and self._grader is None:
            self.run_worker(self._measure(), group="grading", exit_on_error=False)

    async def _measure(self) -> None:
        """Grade the solution as an attempt is graded, for what it costs."""
        from studyattn.grading.submission import Backend, Submission  # loads numpy

        debrief = self._debrief
        self._grader = GradingThread()
        brief = find_drill(self.services.home, debrief.id).brief
        solution = brief.solution(debrief.backend)
        submission = Submission.read(solution, brief.entry, backend=Backend(debrief.backend))
        report: Report | None = await self._grader.grade(brief.folder, submission, lambda _: None)
        if report is not None and self.is_attached:
            self._cost = report.to_json().get("cost")
            self.draw()

    async def on_unmount(self) -> None:
        if self._grader is not None:
            await self._grader.close()

    def draw(self) -> None:
        self.headline(f"{self._debrief.title}: what to learn from it", self.date_text())
        drawn = debrief_view.draw(
            self._debrief,
            self._cost,
            self.size.width - 7,
            self.services.look,
            days=self.days(),
        )
        self.query_one("#page", Static).update(drawn)

    def hints(self) -> Iterable[Hint]:
        yield hint("debrief.done")
        yield hint("debrief.explain")
        yield hint("debrief.cost")

    def action_done(self) -> None:
        """Go on with what was interrupted by the drill."""
        self.services.back()

    def action_cost(self) -> None:
        """Open the cost lab of the drill."""
        self.go("cost", self._debrief.id)

    def action_explain(self) -> None:
        """Read what explains a mistake, chosen if there are several; without one, the drill."""
        titles = {each.concept: each.title for each in self._debrief.mistakes}

        async def read(slug: str) -> None:
            self.go("concept", slug, explains=True)

        if len(titles) > 1:
            self.ask(PickScreen("Explain", titles), read)
        else:
            self.go("concept", next(iter(titles), self._debrief.concept), explains=True)
