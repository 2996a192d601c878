"""After a drill: your code beside the solution, what the mistakes were, what comes next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from studyattn.grading.verdict import Report
from studyattn.study.practice.debrief import Debrief
from studyattn.study.practice.drills import find_drill
from studyattn.tui.dialogs.picker import PickScreen
from studyattn.tui.drill.grader import GradingThread
from studyattn.tui.drill.pages import draw_code
from studyattn.tui.formatting import Days, count
from studyattn.tui.screens.base import ReadingScreen
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.rendered_text import palette


class DebriefScreen(ReadingScreen, global_keys=False):
    """One page that scrolls. The solution's cost is measured while the page is read."""

    SCOPE = "After a drill"

    def __init__(self, debrief: Debrief) -> None:
        super().__init__()
        self._debrief = debrief
        self._grader: GradingThread | None = None
        self._cost: dict[str, Any] | None = None  # of the solution

    async def load(self) -> None:
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
        self.read(draw_debrief(self._debrief, self._cost, self.width, days=self.days()))

    def hints(self) -> Offers:
        return ("done explain cost",)

    def action_done(self) -> None:
        self.services.back()

    def action_cost(self) -> None:
        self.go("cost", self._debrief.id)

    def action_explain(self) -> None:
        titles = {each.concept: each.title for each in self._debrief.mistakes}

        async def read(slug: str) -> None:
            self.go("concept", slug, explains=True)

        if len(titles) > 1:
            self.ask(PickScreen("Explain", titles), read)
        else:
            self.go("concept", next(iter(titles), self._debrief.concept), explains=True)


_BESIDE = 130
"""Columns from which the programs are beside each other."""

_MOST = 6  # differing steps that are named


def draw_debrief(
    debrief: Debrief,
    solution_cost: Mapping[str, Any] | None,
    width: int,
    *,
    days: Days,
) -> RenderableType:
    """Return the page in `width` columns. `solution_cost` is None until it is measured."""
    style = palette()
    parts: list[RenderableType] = [
        Text("What comes next", style.heading),
        *_next(debrief, days),
        Text(),
        Text("Mistakes on the way", style.heading),
        *_mistakes(debrief),
        Text(),
        Text("Your code and the solution", style.heading),
        *_differences(debrief),
        *_costs(debrief, solution_cost),
        Text(),
    ]
    half = (width - 3) // 2
    code = width if width < _BESIDE else half
    yours = Group(Text("yours", style.quote), draw_code(debrief.code, code))
    solution = Group(Text("solution", style.quote), draw_code(debrief.solution, code))
    if width < _BESIDE:
        return Group(*parts, yours, Text(), solution)
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_column(width=half)
    grid.add_column(width=half)
    grid.add_row(yours, solution)
    return Group(*parts, grid)


def _next(debrief: Debrief, days: Days) -> list[RenderableType]:
    lines = []
    if debrief.due is not None:
        lines.append(f"It comes back {days.when(debrief.due)}, from an empty file.")
    if debrief.cards_back:
        verb = "waits" if debrief.cards_back == 1 else "wait"
        lines.append(f"{count(debrief.cards_back, 'card')} on its mistakes {verb} in your reviews.")
    lines += [each.sentence for each in debrief.lessons]
    if debrief.next_lesson is not None:
        lines.append(f"The next concept on the path: {debrief.next_lesson}.")
    if debrief.next_drill is not None:
        lines.append(f"The next drill to write: {debrief.next_drill}.")
    return [Text(line) for line in lines]


def _mistakes(debrief: Debrief) -> list[RenderableType]:
    tries = count(debrief.attempts, "attempt")
    if not debrief.mistakes:
        return [Text(f"No named mistakes in {tries}.")]
    return [
        Text(f"✗ {each.title}" + (f" ({each.times} times)" if each.times > 1 else ""))
        for each in debrief.mistakes
    ]


def _differences(debrief: Debrief) -> list[RenderableType]:
    if not debrief.differences:
        return [Text("Both use the same steps, the same number of times.")]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_row("", Text("yours", justify="right"), Text("solution", justify="right"))
    for each in debrief.differences[:_MOST]:
        table.add_row(
            each.step,
            Text(str(each.yours or "–"), justify="right"),
            Text(str(each.solution or "–"), justify="right"),
        )
    said = "Both are correct. They differ in these steps:"
    return [Text(said), table]


def _costs(debrief: Debrief, solution: Mapping[str, Any] | None) -> list[RenderableType]:
    if debrief.cost is None:
        return []
    yours = _cost(debrief.cost)
    other = "being measured …" if solution is None else _cost(solution)
    return [Text(), Text(f"Your cost: {yours}."), Text(f"Solution's cost: {other}.")]


def _cost(cost: Mapping[str, Any]) -> str:
    return f"{cost['flops']:,} operations, largest array {cost['largest_array']:,} numbers"
