"""After a drill: your code beside the solution, what the mistakes were, what comes next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from textual.content import Content

from studyattn.grading.verdict import Report
from studyattn.study.practice.debrief import Debrief
from studyattn.study.practice.drills import find_drill
from studyattn.study.practice.first_model import FirstModelText
from studyattn.study.practice.grading_thread import GradingThread
from studyattn.tui.dialogs.picker import PickScreen
from studyattn.tui.drill.pages import draw_code
from studyattn.tui.formatting import Days, Lines, beside, count
from studyattn.tui.screens.base import ReadingScreen
from studyattn.tui.widgets.first_model import FirstModelWriter, draw_beside
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.rendered_text import lines_of


class DebriefScreen(ReadingScreen, global_keys=False):
    """One page that scrolls. The solution's cost is measured while the page is read."""

    SCOPE = "After a drill"

    def __init__(self, debrief: Debrief) -> None:
        super().__init__()
        self._debrief = debrief
        self._grader: GradingThread | None = None
        self._cost: dict[str, Any] | None = None  # of the solution
        self._writer = FirstModelWriter()
        self._model: FirstModelText | None = None

    async def load(self) -> None:
        if self._model is None:
            self.run_worker(self._writer.write(self, self._show_model), exit_on_error=False)
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

    def _show_model(self, model: FirstModelText) -> None:
        if self.is_attached and self._debrief.id in model.now.parts:
            self._model = model
            self.draw()

    async def on_unmount(self) -> None:
        await self._writer.stop()
        if self._grader is not None:
            await self._grader.close()

    def draw(self) -> None:
        self.headline(f"{self._debrief.title}: what to learn from it", self.date_text())
        self.read(
            draw_debrief(self._debrief, self._cost, self.width, days=self.days(), model=self._model)
        )

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

_BETWEEN = 3
_MOST = 6  # differing steps that are named


def draw_debrief(
    debrief: Debrief,
    solution_cost: Mapping[str, Any] | None,
    width: int,
    *,
    days: Days,
    model: FirstModelText | None = None,
) -> Content:
    """Return the page in `width` columns. `solution_cost` is None until it is measured."""
    page = Lines(width)
    if model is not None:
        page.add(("Your model", "$accent bold"))
        page.lines += [*draw_beside(model, min(width, _BESIDE)), Content()]
    parts = {
        "What comes next": _next(debrief, days),
        "Mistakes on the way": _mistakes(debrief),
        "Your code and the solution": [
            *_differences(debrief),
            *_costs(debrief, solution_cost),
        ],
    }
    for title, told in parts.items():
        page.add((title, "$accent bold"))
        for line in told:
            page.wrap(line)
        page.add()
    code = width if width < _BESIDE else (width - _BETWEEN) // 2
    yours, solution = (
        [Content.styled(name, "italic $quiet"), *lines_of(draw_code(source, code))]
        for name, source in (("yours", debrief.code), ("solution", debrief.solution))
    )
    if width < _BESIDE:
        page.lines += [*yours, Content(), *solution]
    else:
        page.lines += beside(yours, solution, code + _BETWEEN)
    return page.content


def _next(debrief: Debrief, days: Days) -> Iterator[str]:
    if debrief.due is not None:
        yield f"It comes back {days.when(debrief.due)}, from an empty file."
    if debrief.cards_back:
        verb = "waits" if debrief.cards_back == 1 else "wait"
        yield f"{count(debrief.cards_back, 'card')} on its mistakes {verb} in your reviews."
    yield from (each.sentence for each in debrief.lessons)
    if debrief.next_lesson is not None:
        yield f"The next concept on the path: {debrief.next_lesson}."
    if debrief.next_drill is not None:
        yield f"The next drill to write: {debrief.next_drill}."


def _mistakes(debrief: Debrief) -> Iterator[str]:
    if not debrief.mistakes:
        yield f"No named mistakes in {count(debrief.attempts, 'attempt')}."
    for each in debrief.mistakes:
        yield f"✗ {each.title}" + (f" ({each.times} times)" if each.times > 1 else "")


def _differences(debrief: Debrief) -> Iterator[str]:
    shown = debrief.differences[:_MOST]
    if not shown:
        yield "Both use the same steps, the same number of times."
        return
    yield "Both are correct. They differ in these steps:"
    steps = max(len(each.step) for each in shown)
    yield f"{'':{steps}}  yours  solution"
    for each in shown:
        yield f"{each.step:<{steps}}  {each.yours or '–':>5}  {each.solution or '–':>8}"


def _costs(debrief: Debrief, solution: Mapping[str, Any] | None) -> Iterator[str]:
    if debrief.cost is not None:
        other = "being measured …" if solution is None else _cost(solution)
        yield " "
        yield f"Your cost: {_cost(debrief.cost)}."
        yield f"Solution's cost: {other}."


def _cost(cost: Mapping[str, Any]) -> str:
    return f"{cost['flops']:,} operations, largest array {cost['largest_array']:,} numbers"
