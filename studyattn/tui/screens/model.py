"""A real language model on the learner's parts, alone or beside one that makes a mistake."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from rich.text import Text

from studyattn.packs.model_runs import ModelRun, installed_runs
from studyattn.study.practice import model_page, model_runs
from studyattn.study.practice.model_parts import (
    MINE,
    OF_LLAMA,
    WHOSE,
    ModelMistake,
    OwnParts,
    lent_parts,
    wanted_parts,
)
from studyattn.study.practice.running import PROMPT, TEXT, Comparison, InUse, RunningModel, Saying
from studyattn.text.lines import wrap
from studyattn.tui.dialogs.editor import EditorScreen, Field, Written
from studyattn.tui.screens.base import queued
from studyattn.tui.screens.lab import LabScreen
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.side_panel import ROOM, SidePanel

_WIDEST: Final = 120
"""Columns of what is drawn, at most."""

_TOKENS: Final = 40
"""Tokens that are written."""

_NOTE: Final = "Every attention layer makes it. The correct model runs alongside it."

_RUNS: Final = (
    "Recorded results of its heads and layers. The concept pages open each run and measure it "
    "again."
)

_PANEL: Final = 76
"""Columns of the panel with what was recorded."""


class ModelScreen(LabScreen, wide=ROOM):
    """One page: the parts, and what the model says, right and broken."""

    SCOPE = "A real language model"

    def __init__(self) -> None:
        super().__init__()
        self.sayings: tuple[Saying, ...] = ()
        self._prompt = PROMPT
        self._model: InUse | None = None
        self._mine: OwnParts | None = None
        self._runs: tuple[ModelRun, ...] = ()

    async def load(self) -> None:
        self._mine = await self.database.run_with_profile(lambda each: wanted_parts(each, MINE))
        self._model = self.look_up()
        self._runs = await self.database.run(partial(installed_runs, self.services.home))
        self.draw()
        self.show_hints()

    def _say(self, *further: OwnParts) -> None:
        model = self._model
        if self.is_busy or model is None or self._mine is None:
            return
        self.sayings = ()
        server, home, prompt = model.server(), self.services.home, self._prompt
        models = Comparison(
            server, (RunningModel(server, home, each) for each in (self._mine, *further))
        )
        tell = partial(self.tell, "writing")
        self.begin(models, lambda: models.run(prompt, _TOKENS, tell, scored=TEXT))

    def hear(self, found: tuple[Saying, ...]) -> None:
        self.sayings = found

    # How it is drawn.

    def draw(self) -> None:
        self.headline("A real language model", self._doing)
        self.set_class(bool(self._runs), "-recorded")
        self.query_one(SidePanel).show(self._draw_runs)
        taken = _PANEL if self._runs and self.is_wide else 0
        width, quiet = self.width_within(_WIDEST, taken), self.quiet
        blocks = [self._about(width, quiet)]
        if self.sayings:
            blocks.append(model_page.said(self._prompt, self.sayings, width=width, quiet=quiet))
            blocks += [
                Text("\n").join(wrap(Text(each.title), width))
                for each in self.sayings
                if each.title
            ]
        elif self.is_busy:
            blocks.append(Text("A worker loads the model …"))
        blocks.append(model_page.said_before(self._runs, width=width, quiet=quiet))
        self.read(Text("\n\n").join(blocks))

    def _draw_runs(self, width: int) -> Text:
        """What was recorded of the model for concepts of the packs, run by run."""
        blocks = [Text("\n").join(wrap(Text(_RUNS, self.quiet), width))]
        for run in self._runs:
            told = model_runs.lines_of(run.asked, width=width)
            lines = [Text(run.title, "bold"), *(Text(line) for line in told)]
            blocks.append(Text("\n").join(part for line in lines for part in wrap(line, width)))
        return Text("\n\n").join(blocks)

    def _about(self, width: int, quiet: str) -> Text:
        """Tell which model it is and whose the parts are, or how to get one."""
        if self._model is None:
            return Text("\n").join(wrap(Text(self._lacking), width))
        kept = self._model.kept
        lines = wrap(Text(f"{kept.name}, {kept.parameters:,} parameters", quiet), width)
        own = () if self._mine is None else self._mine.parts
        whose = model_page.whose(own, WHOSE, width=width, quiet=quiet)
        return Text("\n").join([*lines, whose] if whose else lines)

    def hints(self) -> Iterable[Hint]:
        if self._model is not None and not self.is_busy:
            yield hint("model.say")
            yield hint("model.prompt")
            yield hint("model.break")
            yield hint("model.heads")
        yield hint("back")

    # What the keys do.

    def action_say_it(self) -> None:
        """Continue the prompt."""
        self._say()

    def action_prompt(self) -> None:
        """Write another prompt and have the model go on after it."""
        if self.is_busy or self._model is None:
            return

        async def taken(written: Written | None) -> None:
            if written is not None and written["prompt"]:
                self._prompt = written["prompt"]
                self._say()

        field = Field("prompt", "", self._prompt)
        self.ask(
            EditorScreen("What should it continue?", field, save="continue", leave="cancel"), taken
        )

    @queued
    async def action_break_it(self) -> None:
        """Choose a mistake and have it write beside the right model."""
        if self.is_busy or self._model is None:
            return

        async def chosen(mistake: ModelMistake) -> None:
            parts = partial(lent_parts, self.services.home, mistake.id)
            self._say(await self.database.run(parts))

        await self.choose_mistake(OF_LLAMA, "Which mistake?", _NOTE, chosen)
