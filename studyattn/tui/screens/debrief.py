"""After a drill: your code beside the solution, the mistakes, what comes next; and the first model.

What the model wrote before and writes now is told once it has written.
"""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from studyattn.study.practice.debrief import Debrief
from studyattn.study.practice.first_model import CHANGES, FirstModelText
from studyattn.tui.dialogs.dialog import PickScreen
from studyattn.tui.drill.pages import draw_code
from studyattn.tui.formatting import Days, Lines, beside, count
from studyattn.tui.screens.base import ReadingScreen
from studyattn.tui.widgets.first_model import FirstModelWriter, draw_beside
from studyattn.tui.widgets.rendered_text import lines_of

_WIDEST = 100
_NAME = max(map(len, CHANGES)) + 2


class FirstModelScreen(ReadingScreen, global_keys=False):
    """One page that scrolls, drawn again when the model has written."""

    SCOPE = "After a drill"
    OPENING = "Your model"
    HINTS = ("done",)
    _model: FirstModelText | None = None

    async def load(self) -> None:
        if not self.is_loaded:
            writer = FirstModelWriter()
            self.ends.push_async_callback(writer.stop)
            self.run_worker(writer.write(self, self.hear), exit_on_error=False)

    def hear(self, model: FirstModelText) -> None:
        """Show what the model has written."""
        if self.is_attached:
            self._model = model
            self.draw()

    def draw(self) -> None:
        self.headline(self.OPENING, self.date_text())
        if self._model is None:
            self.read(Content.styled("It writes …", "$quiet"))
        else:
            page = Lines(min(_WIDEST, self.width))
            page.lines += draw_beside(self._model, page.width)
            page.add()
            page.add(("Its parts", "$accent bold"))
            for drill, change in CHANGES.items():
                sign, style = ("✓", "$right") if drill in self._model.now.parts else ("○", "$quiet")
                page.wrap(change, mark=(f"{sign} {drill:<{_NAME}}", style))
            self.read(page.content)


_BESIDE = 130  # columns from which the programs are beside each other
_BETWEEN = 3
_MOST = 6  # differing steps that are named


class DebriefScreen(FirstModelScreen, global_keys=False):
    """Show what to learn from a drill, below the first model if the drill is a part of it."""

    OPENING = ""
    HINTS = ("done explain cost",)

    def __init__(self, debrief: Debrief) -> None:
        super().__init__()
        self._debrief = debrief

    def hear(self, model: FirstModelText) -> None:
        if self._debrief.id in model.now.parts:
            super().hear(model)

    def draw(self) -> None:
        debrief, width = self._debrief, self.width
        self.headline(f"{debrief.title}: what to learn from it", self.date_text())
        page = Lines(width)
        if self._model is not None:
            page.add(("Your model", "$accent bold"))
            page.lines += [*draw_beside(self._model, min(width, _BESIDE), debrief.id), Content()]
        parts = {
            "What comes next": _next(debrief, self.days()),
            "Mistakes on the way": _mistakes(debrief),
            "Your code and the solution": _differences(debrief),
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
        self.read(page.content)

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


def _next(debrief: Debrief, days: Days) -> Iterator[str]:
    if debrief.reached is not None:
        yield f"It runs as a whole now: {debrief.reached}. x on Today starts it."
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
    steps = max((len(each.step) for each in shown), default=0)
    if shown:
        yield "Both are correct. They differ in these steps:"
        yield f"{'':{steps}}  yours  solution"
    else:
        yield "Both use the same steps, the same number of times."
    for each in shown:
        yield f"{each.step:<{steps}}  {each.yours or '–':>5}  {each.solution or '–':>8}"
    if debrief.cost is not None:
        yield " "
        yield (
            f"Your cost: {debrief.cost['flops']:,} operations, largest array "
            f"{debrief.cost['largest_array']:,} numbers. x compares it with the solution's."
        )
