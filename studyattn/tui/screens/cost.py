"""The cost lab: how the cost of a drill's implementations grows with n, measured while you look.

The learner's file is graded first and measured when its answers are right, whatever it costs; the
solution and the drill's contrasts are measured beside it. All runs beside the app
(`study.practice.grading_thread`), one implementation after another, and each n is drawn when it is
there.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from rich.text import Text
from textual.content import Content
from textual.widgets import Static

from studyattn.errors import StudyattnError
from studyattn.grading.cost.measurements import CostSeries, Quantity
from studyattn.grading.verdict import Report, headline
from studyattn.study.practice import cost_page
from studyattn.study.practice.cost_page import UNITS, CostStyles
from studyattn.study.practice.grading_thread import GradingThread
from studyattn.tui.formatting import READING_WIDTH, tabs
from studyattn.tui.screens.base import ReadingScreen
from studyattn.tui.theme import colours
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.heatmap import beside

if TYPE_CHECKING:
    from studyattn.grading import Grader
    from studyattn.home import Home
    from studyattn.study.practice.cost_lab import CostLab

_THREE = 132  # columns from which the three quantities are side by side
_FRAME = 4  # lines of the screen around its body
_TABS = 2  # lines of the names of quantities
_LOWEST, _HIGHEST = 8, 40  # lines of a plot
_NAMES = {f"screen.quantity('{each.value}')": each.value for each in Quantity}
_NONE_OF_YOURS = "Your code is plotted here once it passes."


def open_lab(home: Home, identifier: str) -> CostLab | str:
    """Return the drill's lab, or why it has none. Runs in the database's thread."""
    # Late: it loads the grader and the pack's readers, in the database's thread.
    from studyattn.study.practice.cost_lab import cost_lab

    try:
        return cost_lab(home, identifier)
    except StudyattnError as error:
        return str(error)


class CostScreen(ReadingScreen, global_keys=False):
    """One plot and its laws, or three side by side where it is wide."""

    SCOPE = "Cost lab"
    TABS = True

    def __init__(self, identifier: str) -> None:
        super().__init__()
        self.identifier = identifier
        self.quantity = Quantity.OPERATIONS
        self._lab: CostLab | str | None = None
        self._series: dict[str, CostSeries] = {}
        self._note = ""
        self._doing = ""  # what is measured now; empty when nothing is
        self._grader: GradingThread | None = None

    # Measuring.

    async def load(self) -> None:
        if self._grader is None:
            self._grader = GradingThread()
            self.ends.push_async_callback(self._grader.close)
            await self._begin()

    async def _begin(self) -> None:
        """Measure everything again, with the file as it is now."""
        self._lab = await self.database.run(open_lab, self.services.home, self.identifier)
        if not isinstance(self._lab, str):
            self._series.clear()
            self._note = _NONE_OF_YOURS if self._lab.yours is None else ""
            self._doing = "starting …"
            self.run_worker(self._measure(self._lab), group="measuring", exit_on_error=False)
        self.redraw()

    async def _measure(self, lab: CostLab) -> None:
        grader = self._grader
        if grader is None:
            return
        try:
            done = await grader.carry_out(partial(self._carry_out, lab, grader))
        except Exception as error:  # noqa: BLE001 - whatever it is, the learner reads a modal
            self._doing = ""
            self.services.show_error(error)
            return
        if self.is_attached and not grader.is_grading:
            self._doing = ""
            self.redraw("" if done else "stopped; measurements so far are kept")

    def _carry_out(
        self, lab: CostLab, thread: GradingThread, grader: Grader, stop: threading.Event
    ) -> bool:
        """Measure all, in the grading thread; True when it is done."""

        def told(series: CostSeries) -> None:
            thread.tell(partial(self._hear, series))

        subjects = lab.subjects
        report = lab.grade_yours(grader, stop)
        if report is not None and not report.passed:
            thread.tell(partial(self._leave_out, report))
            subjects = lab.others
        for subject in subjects:
            told(CostSeries(subject.title, subject.role, subject.drill.id))
            told(grader.measure(subject, stop=stop, told=told))
        return True

    def _hear(self, series: CostSeries) -> None:
        """Take in what was measured of one implementation."""
        self._series[series.title] = series
        if self.is_measuring:  # it may have been ended before this was heard
            self._doing = f"measuring {series.title} …"
        self.redraw(None)

    def _leave_out(self, report: Report) -> None:
        is_wrong = report.verdict == "wrong"
        why = "It does not pass yet" if is_wrong else headline(report.verdict, report.message)
        self._note = f"{why}, so your code is not measured."
        self.redraw(None)

    @property
    def is_measuring(self) -> bool:
        return bool(self._doing)

    @property
    def series(self) -> tuple[CostSeries, ...]:
        """The measurements so far, the learner's first."""
        return tuple(self._series.values())

    # How it is drawn.

    def draw(self) -> None:
        lab = self._lab
        about = "" if lab is None or isinstance(lab, str) else f"{lab.backend}   n = {lab.counts}"
        doing = f"{self._doing}   " if self._doing and self.series else ""
        self.headline(f"{self.identifier}: what it costs", f"{doing}{about}")
        names = self.query_one("#tabs", Static)
        names.display = not (self._is_wide or isinstance(lab, str))
        names.update(tabs(_NAMES, f"screen.quantity('{self.quantity.value}')"))
        if isinstance(lab, str):
            self.read(Text(lab[:1].upper() + lab[1:]))
        elif not self.series:
            self.read(Content.styled(self._doing, "$quiet"))
        else:
            self.read(self._three() if self._is_wide else self._one())

    @property
    def _is_wide(self) -> bool:
        return self.size.width >= _THREE

    @property
    def _styles(self) -> CostStyles:
        if "NO_COLOR" in os.environ:
            return CostStyles()
        worn = colours()
        curves = worn.accent, worn.right, worn.wrong, worn.hard
        return CostStyles(curves, worn.quiet, worn.wrong)

    def _one(self) -> Text:
        """Draw the chosen quantity, and how it grows."""
        below = [self._legend(self.quantity, self.width), *self._notes()]
        room = self.size.height - _FRAME - _TABS - _lines(below)
        plot = self._plot(self.quantity, self.width, room)
        return Text("\n\n").join([text for text in (plot, *below) if text])

    def _three(self) -> Text:
        """Draw all three side by side, then how each grows."""
        width = (self.width - 6) // 3
        laws = Text("\n\n").join(
            Text.assemble(
                (quantity.value, "bold"),
                (f"   {UNITS[quantity]}\n", self._styles.quiet),
                self._legend(quantity, self.width),
            )
            for quantity in Quantity
        )
        below = [laws, *self._notes()]
        room = self.size.height - _FRAME - _lines(below) - 1
        plots = [
            [Text(quantity.value, style="bold"), *self._plot(quantity, width, room).split()]
            for quantity in Quantity
        ]
        return Text("\n\n").join([Text("\n").join(beside(plots, self.width)), *below])

    def _plot(self, quantity: Quantity, width: int, room: int) -> Text:
        height = max(_LOWEST, min(_HIGHEST, room))
        return cost_page.plot(
            self.series, quantity, width=width, height=height, styles=self._styles
        )

    def _legend(self, quantity: Quantity, width: int) -> Text:
        return cost_page.legend(self.series, quantity, width=width, styles=self._styles)

    def _notes(self) -> Sequence[Text]:
        """Return remarks on the figures, and what is missing."""
        width = min(READING_WIDTH, self.width)
        remarks = cost_page.remarks(self.series, width=width, styles=self._styles)
        return [text for text in (remarks, Text(self._note, style=self._styles.quiet)) if text]

    def hints(self) -> Offers:
        turn = not self._is_wide and ("next", "quantity", "← →")
        measured = (turn, "again") if self._series else ()
        busy = self.is_measuring
        return (busy and ("back", "end it"), *measured, not busy and "back")

    # What the keys do.

    def action_back(self) -> None:
        if self._grader is not None and self.is_measuring:
            self._grader.stop()
        else:
            super().action_back()

    def action_quantity(self, name: str) -> None:
        self.quantity = Quantity(name)
        self.draw()

    def action_move(self, by: int) -> None:
        quantities = list(Quantity)
        place = quantities.index(self.quantity) + by
        self.action_quantity(quantities[place % len(quantities)].value)

    def action_again(self) -> None:
        self.do(self._begin)


def _lines(texts: Sequence[Text]) -> int:
    """Lines that the texts take, with a blank one before each."""
    return sum(2 + text.plain.count("\n") for text in texts)
