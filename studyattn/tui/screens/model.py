"""A real language model on the learner's parts, alone or beside one that makes a mistake.

The model is in a worker of its own (`study.practice.real_model`); a thread asks it and tells this
screen, which only draws. A worker never outlives the screen.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from rich.text import Text
from textual.containers import Horizontal, VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from studyattn.errors import StudyattnError
from studyattn.lm.asking import StoppedError
from studyattn.lm.llama.kept import Models, check_installed, model_cache
from studyattn.lm.llama.records import KeptModel
from studyattn.packs.model_runs import ModelRun, installed_runs
from studyattn.study.practice import model_runs, real_model_page
from studyattn.study.practice.model_mistakes import OF_LLAMA, mistakes
from studyattn.study.practice.real_model import (
    MINE,
    PROMPT,
    Wanted,
    lent_parts,
    server_of,
    wanted_parts,
)
from studyattn.study.practice.real_model_page import Comparison, Saying
from studyattn.text.lines import wrap
from studyattn.tui.actions import Scope
from studyattn.tui.dialogs.editor import EditorScreen, Field, Written
from studyattn.tui.dialogs.picker import PickScreen
from studyattn.tui.screens.asking_model import sentence_of
from studyattn.tui.screens.base import StudyScreen, queued
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.heatmap import quiet_style
from studyattn.tui.widgets.side_panel import PANEL_BREAKPOINTS, SidePanel

if TYPE_CHECKING:
    from studyattn.grading.run.runner import Runner

_WIDEST: Final = 120
"""Columns of what is drawn, at most."""

_TOKENS: Final = 40
"""Tokens that are written."""

_LONGEST_END: Final = 5.0
"""Seconds for which the end of a worker is waited for when the screen closes."""

_NOTE: Final = "Every attention layer makes it. The correct model runs alongside it."

_RUNS: Final = (
    "Recorded results of its heads and layers. The concept pages open each run and measure it "
    "again."
)

_PANEL: Final = 76
"""Columns of the panel with what was recorded."""

_RECORDED: Final = (
    "Recorded with SmolLM2 135M: the perplexity of a 49-token text, and the next eight tokens "
    f"after “{PROMPT}”."
)


class ModelScreen(StudyScreen):
    """One page: the parts, and what the model says, right and broken."""

    SCOPE = Scope.MODEL
    CSS_PATH = "model.tcss"

    def __init__(self) -> None:
        super().__init__()
        self.sayings: tuple[Saying, ...] = ()
        self._prompt = PROMPT
        self._kept: KeptModel | None = None
        self._lacking = ""  # why there is no model
        self._mine: Wanted | None = None
        self._doing = ""  # empty when nothing is said
        self._closed = False
        self._comparison: Comparison | None = None
        self._thread: threading.Thread | None = None
        self._runs: tuple[ModelRun, ...] = ()
        self.HORIZONTAL_BREAKPOINTS = PANEL_BREAKPOINTS

    def body(self) -> Iterable[Widget]:
        with Horizontal():
            with VerticalScroll(id="reading"):
                yield Static(id="model", markup=False)
            yield SidePanel()

    async def load(self) -> None:
        self._mine = await self.database.run_with_profile(lambda each: wanted_parts(each, MINE))
        try:
            check_installed()
            self._kept = Models(model_cache()).in_use()
        except StudyattnError as error:
            self._lacking = sentence_of(error)
        self._runs = await self.database.run(partial(installed_runs, self.services.home))
        self.query_one("#reading").focus()
        self.draw()
        self.show_hints()

    # Saying something.

    @property
    def is_saying(self) -> bool:
        """True while a model writes."""
        return bool(self._doing)

    def _say(self, *further: Wanted) -> None:
        if self.is_saying or self._kept is None or self._mine is None:
            return
        self._doing = "starting …"
        self.sayings = ()
        models = Models(model_cache())
        server = server_of(models, self._kept)
        place = models.place(self._kept)
        wanted = (self._mine, *further)
        home = self.services.home
        self._comparison = Comparison(server, home, place, wanted, self._prompt)
        loop = asyncio.get_running_loop()
        work = partial(self._carry_out, loop, server, self._comparison)
        self._thread = threading.Thread(target=work, name="real model", daemon=True)
        self._thread.start()
        self._redraw()

    def _carry_out(
        self, loop: asyncio.AbstractEventLoop, server: Runner, comparison: Comparison
    ) -> None:
        """Run the models, in the thread; tell the screen how far they are and how it ended."""

        def tell(hear: partial[None]) -> None:
            with contextlib.suppress(RuntimeError):  # the app has ended, and its loop with it
                loop.call_soon_threadsafe(hear)

        try:
            with server:
                comparison.run(_TOKENS, lambda sayings: tell(partial(self._hear, sayings)))
            tell(partial(self._end, None))
        except StoppedError:
            tell(partial(self._end, None))
        except Exception as error:  # noqa: BLE001 - whatever it is, the learner reads a modal
            tell(partial(self._end, error))

    def _hear(self, sayings: tuple[Saying, ...]) -> None:
        self.sayings = sayings
        self._doing = "writing"
        self._redraw()

    def _end(self, error: Exception | None) -> None:
        self._doing = ""
        if error is not None and not self._closed:
            self.services.show_error(error)
        self._redraw()

    def _redraw(self) -> None:
        if not self._closed:
            self.draw()
            self.refresh_hints()

    async def on_unmount(self) -> None:
        self._closed = True
        if self._comparison is not None and self._thread is not None:
            await asyncio.to_thread(self._comparison.kill)
            await asyncio.to_thread(self._thread.join, _LONGEST_END)

    # How it is drawn.

    def draw(self) -> None:
        self.headline("A real language model", self._doing)
        self.set_class(bool(self._runs), "-recorded")
        self.query_one(SidePanel).show(self._draw_runs)
        taken = _PANEL if self._runs and self.has_class("-wide") else 0
        width = min(_WIDEST, max(24, self.size.width - 7 - taken))
        quiet = quiet_style(self.services.look)
        blocks = [self._about(width, quiet)]
        if self.sayings:
            blocks.append(
                real_model_page.beside(self._prompt, self.sayings, width=width, quiet=quiet)
            )
            blocks += [
                Text("\n").join(wrap(Text(each.title), width))
                for each in self.sayings
                if each.title
            ]
        elif self.is_saying:
            blocks.append(Text("A worker loads the model …"))
        note = Text("\n").join(wrap(Text(_RECORDED, quiet), width))
        blocks += [note, real_model_page.recorded(width=width, quiet=quiet)]
        self.query_one("#model", Static).update(Text("\n\n").join(blocks))

    def _draw_runs(self, width: int) -> Text:
        """What was recorded of the model for concepts of the packs, run by run."""
        quiet = quiet_style(self.services.look)
        blocks = [Text("\n").join(wrap(Text(_RUNS, quiet), width))]
        for run in self._runs:
            told = model_runs.lines_of(run.asked, width=width)
            lines = [Text(run.title, "bold"), *(Text(line) for line in told)]
            blocks.append(Text("\n").join(part for line in lines for part in wrap(line, width)))
        return Text("\n\n").join(blocks)

    def _about(self, width: int, quiet: str) -> Text:
        """Tell which model it is and whose the parts are, or how to get one."""
        if self._kept is None:
            return Text("\n").join(wrap(Text(self._lacking), width))
        head = f"{self._kept.name}, {self._kept.parameters:,} parameters"
        lines = wrap(Text(head, quiet), width)
        own = () if self._mine is None else self._mine.parts
        whose = {
            "yours": "yours",
            "lent": "from the pack until you pass its drill",
            "torch": "of torch",
        }
        for origin, word in whose.items():
            named = [part.entry for part in own if part.origin == origin]
            if named:
                lines += wrap(Text.assemble((f"{word}: ", quiet), ", ".join(named)), width)
        return Text("\n").join(lines)

    def hints(self) -> Iterable[Hint]:
        if self._kept is not None and not self.is_saying:
            yield hint("model.say")
            yield hint("model.prompt")
            yield hint("model.break")
            yield hint("model.heads")
        yield hint("back")

    # What the keys do.

    def action_say_it(self) -> None:
        """Have the model go on after the prompt."""
        self._say()

    def action_heads(self) -> None:
        """See what its heads attend to."""
        self.go("heads")

    def action_prompt(self) -> None:
        """Write another prompt and have the model go on after it."""
        if self.is_saying or self._kept is None:
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
        if self.is_saying or self._kept is None:
            return
        home = self.services.home
        known = await self.database.run(partial(mistakes, home, OF_LLAMA))

        async def chosen(name: str) -> None:
            self._say(await self.database.run(partial(lent_parts, home, name)))

        choices = {each.id: f"{each.id}: {each.title}" for each in known.values()}
        self.ask(PickScreen("Which mistake?", choices, _NOTE), chosen)
