"""One run of a pack in a real model: what was recorded, and beside it what it measures now.

It measures where a model is there; what computes is a worker (`tui.model_worker`), which ends when
the screen is left.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from rich.text import Text
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from studyattn.lm.asking import StoppedError
from studyattn.packs.model_runs import Compared, ModelRun
from studyattn.study.practice import model_runs
from studyattn.text.lines import wrap
from studyattn.tui.actions import Scope
from studyattn.tui.formatting import READING_WIDTH
from studyattn.tui.screens.asking_model import AskingModelScreen
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.heatmap import beside, quiet_style
from studyattn.tui.widgets.rendered_text import face

_WIDEST: Final = 150
"""Columns of what is drawn, at most."""


class RunScreen(AskingModelScreen, global_keys=False):
    """The recorded figures of a run, and those of now."""

    SCOPE = Scope.RUN
    CSS_PATH = "run.tcss"

    def __init__(self, run: ModelRun) -> None:
        super().__init__()
        self.run_now: ModelRun | None = None  # as it was measured here
        self._run_recorded = run
        self._doing = ""

    def body(self) -> Iterable[Widget]:
        with VerticalScroll(id="reading"):
            yield Static(id="run", markup=False)

    async def load(self) -> None:
        self.query_one("#reading").focus()
        if self._worker is not None or self._lacking:
            return
        home, run = self.services.home, self._run_recorded
        parts = partial(self.database.run, partial(model_runs.parts_of, home, run))
        worker = await self._start_worker(parts)
        if worker is None:
            self.draw()
            return
        self._doing = "measuring …"
        self.draw()
        try:
            self.run_now = await worker.ask(partial(model_runs.measured, run))
        except StoppedError:
            return
        finally:
            self._doing = ""
            if self.is_attached:
                self.draw()

    def draw(self) -> None:
        run, look = self._run_recorded, self.services.look
        self.headline(run.title, self._doing)
        quiet = quiet_style(look)
        width = max(24, min(_WIDEST, self.size.width - 7))
        narrow = min(READING_WIDTH, width)
        lines = [*wrap(Text(run.asked.command, quiet), width), Text()]
        lines += [face(run.shows, narrow, look), Text()]
        now = self.run_now
        same = now is not None and model_runs.agrees(run.asked, now.asked)
        told = "recorded with SmolLM2 135M" + (", and measured now: the same" if same else "")
        alone = now is None or same
        blocks = [self._block(told, run, width if alone else narrow)]
        if now is not None and not same:
            blocks.append(self._block("measured now: it differs", now, narrow))
        lines += beside(blocks, width)
        if self._lacking:
            lines += [Text(), *wrap(Text(self._lacking, quiet), narrow)]
        self.query_one("#run", Static).update(Text("\n").join(lines))

    def _block(self, title: str, run: ModelRun, width: int) -> list[Text]:
        told = model_runs.lines_of(run.asked, width=width, whole=True)
        lines = [wrapped for line in told for wrapped in wrap(Text(line), width)]
        return [Text(title, "bold"), *lines]

    def hints(self) -> Iterable[Hint]:
        yield hint("run.heads")
        yield hint("back")

    def action_heads(self) -> None:
        """See the heads of the model on the run's text."""
        asked = self._run_recorded.asked
        if isinstance(asked, Compared):
            self.go("heads", asked.texts[0])
        else:
            self.go("heads")
