"""One run of a pack in a real model: what was recorded, and beside it what it measures now.

It measures where a model is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from rich.text import Text

from studyattn.packs.model_runs import Compared, ModelRun
from studyattn.study.practice import model_runs
from studyattn.text.lines import wrap
from studyattn.tui.formatting import READING_WIDTH
from studyattn.tui.screens.lab import AskingScreen
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.heatmap import beside
from studyattn.tui.widgets.rendered_text import face

_WIDEST: Final = 150
"""Columns of what is drawn, at most."""


class RunScreen(AskingScreen, global_keys=False):
    """The recorded figures of a run, and those of now."""

    SCOPE = "What a real model says"

    def __init__(self, run: ModelRun) -> None:
        super().__init__()
        self.run_now: ModelRun | None = None  # as it was measured here
        self._run_recorded = run

    async def load(self) -> None:
        if self._asked is not None or self._lacking:
            return
        home, run = self.services.home, self._run_recorded
        parts = partial(self.database.run, partial(model_runs.parts_of, home, run))
        if await self.find_model(parts):
            measure = partial(model_runs.measured, run)
            self.run_now = await self.answer("measuring …", measure)
        self.redraw()

    def draw(self) -> None:
        run = self._run_recorded
        self.headline(run.title, self._doing)
        width = self.width_within(_WIDEST)
        narrow = min(READING_WIDTH, width)
        lines = [*wrap(Text(run.asked.command, self.quiet), width), Text()]
        lines += [face(run.shows, narrow), Text()]
        now = self.run_now
        same = now is not None and model_runs.agrees(run.asked, now.asked)
        told = "recorded with SmolLM2 135M" + (", and measured now: the same" if same else "")
        alone = now is None or same
        blocks = [self._block(told, run, width if alone else narrow)]
        if now is not None and not same:
            blocks.append(self._block("measured now: it differs", now, narrow))
        lines += beside(blocks, width)
        if self._lacking:
            lines += [Text(), *wrap(Text(self._lacking, self.quiet), narrow)]
        self.read(Text("\n").join(lines))

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
