"""The learner's own GPT: it trains while you look, alone or beside one that makes a mistake.

It trains on Python's own help or on a file of the learner's, and writes after a prompt.

The model is in a worker of its own (`study.practice.gpt`); a thread asks it and tells this screen,
which only draws. Escape ends a training and keeps the model; a worker never outlives the screen.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import os
import threading
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.text import Text
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from studyattn.errors import InputError
from studyattn.lm.asking import StoppedError
from studyattn.lm.process import ModelProcess, model_server
from studyattn.study.practice import gpt_page
from studyattn.study.practice.gpt import (
    NAME,
    SECONDS,
    TOPICS,
    OwnParts,
    TrainedModel,
    Trainings,
    Until,
    default_text,
    own_parts,
    read_text,
    say,
    trained_models,
)
from studyattn.study.practice.gpt_page import Styles
from studyattn.study.practice.model_mistakes import ModelMistake, mistakes
from studyattn.text.lines import wrap
from studyattn.tui.actions import Scope
from studyattn.tui.dialogs.editor import EditorScreen, Field, Written
from studyattn.tui.dialogs.picker import PickScreen
from studyattn.tui.screens.base import StudyScreen, queued
from studyattn.tui.theme import Look
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.heatmap import quiet_style

if TYPE_CHECKING:
    from studyattn.grading.run.runner import Runner

_WIDEST: Final = 120
"""Columns of what is drawn, at most."""

_FRAME: Final = 4
"""Lines of the screen around its body."""

_LOWEST, _HIGHEST = 6, 30
"""Lines of the plot."""

_SAMPLE: Final = 3
"""Lines of a sample."""

_WRITTEN: Final = 200
"""Characters that a model writes after a prompt."""

_LIVELY: Final = 0.8
"""The temperature at which it writes them."""

_LONGEST_END: Final = 5.0
"""Seconds for which the end of a worker is waited for when the screen closes."""

_CURVES: Final = {
    Look.DARK: ("#8cc0ff", "#f39c63"),
    Look.LIGHT: ("#0b4a93", "#a8440c"),
    Look.TERMINAL: ("blue", "yellow"),
}

_NONE_YET: Final = (
    "Space trains a model for a minute, on what Python's own help says of the language. It reads 64"
    " characters and learns which one comes next. b trains one that makes a mistake beside it, t"
    " takes a text of yours."
)


_NOTE: Final = "A model that makes it trains beside the right one, for a minute each."

_TEXT_NOTE: Final = (
    "A file in UTF-8 of 4,000 characters or more: a book, your notes. Nothing: Python's own help."
)

_PROMPT_NOTE: Final = (
    "It goes on after this. A character that its text does not have is passed over."
)


Tell = Callable[["partial[None]"], None]
"""Has the screen hear something, from a thread."""


class GptScreen(StudyScreen):
    """One page: parts, curves, what was written, what it came to."""

    SCOPE = Scope.GPT
    CSS_PATH = "gpt.tcss"

    def __init__(self) -> None:
        super().__init__()
        self.models: tuple[TrainedModel, ...] = ()
        self._own: OwnParts | None = None
        self._doing = ""  # empty when no worker is at work
        self._closed = False
        self._file: Path | None = None  # the text to train on; None for the default text
        self._prompt = ""
        self._answers: dict[str, str] = {}  # what was written after the prompt, by model
        self._trainings: Trainings | None = None
        self._writers: list[ModelProcess] = []
        self._enough = threading.Event()
        self._thread: threading.Thread | None = None

    def body(self) -> Iterable[Widget]:
        with VerticalScroll(id="reading"):
            yield Static(id="model", markup=False)

    async def load(self) -> None:
        self._own = await self.database.run_with_profile(own_parts)
        if not self.models:
            kept = trained_models(self.services.home)
            self.models = tuple(model for model in kept if model.name == NAME)
        self.query_one("#reading").focus()
        self.draw()
        self.show_hints()

    # Training and writing, each in a thread of its own.

    @property
    def is_busy(self) -> bool:
        """True while a model is trained or writes."""
        return bool(self._doing)

    def _train(self, until: Until, mistake: ModelMistake | None = None) -> None:
        own = self._own
        if self.is_busy or own is None:
            return
        file = self._file
        try:
            text = (TOPICS, default_text()) if file is None else (str(file), read_text(file))
        except InputError as error:
            self.services.show_error(error)
            return
        self.models = ()
        self._answers = {}
        attentions = (None,) if mistake is None else (None, mistake)
        server = model_server()
        trainings = Trainings(server, self.services.home, own, text, attentions)
        self._trainings = trainings

        def work(tell: Tell) -> None:
            trainings.run(until, lambda models: tell(partial(self._hear, models)))

        self._begin("starting …", server, work)

    def _write(self, prompt: str) -> None:
        """Have each of the models that are shown go on after the prompt, one after another."""
        own, models = self._own, self.models
        if self.is_busy or own is None or not models:
            return
        self._prompt, self._answers = prompt, {}
        self._enough.clear()
        self._trainings = None
        server = model_server()

        def work(tell: Tell) -> None:
            for model in models:
                pieces = say(
                    server, self.services.home, own, model, prompt,
                    tokens=_WRITTEN, temperature=_LIVELY, seed=0, started=self._writers.append,
                )  # fmt: skip
                for piece in pieces:
                    if self._enough.is_set():
                        return
                    tell(partial(self._hear_piece, model.name, piece))

        self._begin("writing …", server, work)

    def _begin(self, doing: str, server: Runner, work: Callable[[Tell], None]) -> None:
        self._doing = doing
        loop, context = asyncio.get_running_loop(), contextvars.copy_context()

        def tell(hear: partial[None]) -> None:
            with contextlib.suppress(RuntimeError):  # the app has ended, and its loop with it
                loop.call_soon_threadsafe(hear, context=context)  # a dialog needs the app's

        self._thread = threading.Thread(
            target=partial(self._carry_out, server, work, tell), name="models", daemon=True
        )
        self._thread.start()
        self.draw()
        self.show_hints()

    def _carry_out(self, server: Runner, work: Callable[[Tell], None], tell: Tell) -> None:
        """Work, in the thread; tell the screen how far it is and how it ended."""
        try:
            with server:
                work(tell)
            tell(partial(self._end, None))
        except StoppedError:
            tell(partial(self._end, None))
        except Exception as error:  # noqa: BLE001 - whatever it is, the learner reads a modal
            tell(partial(self._end, error))

    def _hear(self, models: tuple[TrainedModel, ...]) -> None:
        self.models = models
        if self._doing == "starting …":
            self._doing = "training"
        self._redraw()

    def _hear_piece(self, name: str, piece: str) -> None:
        self._answers[name] = self._answers.get(name, "") + piece
        self._redraw()

    def _end(self, error: Exception | None) -> None:
        """Take in that the work has ended."""
        self._doing = ""
        if error is not None:
            self.services.show_error(error)
        self._redraw()

    def _redraw(self) -> None:
        if not self._closed:
            self.draw()
            self.refresh_hints()

    async def on_unmount(self) -> None:
        self._closed = True
        if self._thread is not None:
            self._enough.set()
            if self._trainings is not None:
                self._trainings.kill()
            for process in list(self._writers):
                process.stop()
            await asyncio.to_thread(self._thread.join, _LONGEST_END)

    # How it is drawn.

    def draw(self) -> None:
        self.headline("Your own GPT", self._progress())
        width = min(_WIDEST, max(24, self.size.width - 7))
        above = [self._about(width)]
        below = [text for text in self._results(width) if text]
        taken = sum(1 + text.plain.count("\n") for text in (*above, *below)) + len(below)
        height = max(_LOWEST, min(_HIGHEST, self.size.height - _FRAME - taken))
        plot = gpt_page.curves(self.models, width=width, height=height, styles=self._styles)
        if plot:
            below[0] = Text("\n").join([plot, below[0]])  # the legend names its curves
        self.query_one("#model", Static).update(Text("\n\n").join([*above, *below]))

    def _progress(self) -> str:
        if not self.models:
            return self._doing
        first = self.models[0]
        speed = f"{first.tokens_per_second:,.0f} characters/s"
        return f"{self._doing}   step {first.steps}   {first.seconds:.0f} s   {speed}".strip()

    def _about(self, width: int) -> Text:
        """What the models are made of, and whose the parts are."""
        quiet = self._styles.quiet
        if self.models:
            lines = wrap(Text(gpt_page.head(self.models[0]), quiet), width)
            for model in self.models:
                if model.title:
                    lines += wrap(Text.assemble(model.title, (f"  {model.name}", quiet)), width)
        else:
            lines = wrap(Text("A worker starts …" if self._doing else _NONE_YET), width)
        if self._file is not None and not any(m.text == str(self._file) for m in self.models):
            lines += wrap(Text.assemble(("the next one trains on ", quiet), str(self._file)), width)
        own = () if self._own is None else self._own.parts
        whose = {"yours": "yours", "lent": "lent until its drill is passed"}
        for origin, word in whose.items():
            named = [part.entry for part in own if part.origin == origin]
            if named:
                lines += wrap(Text.assemble((f"{word}: ", quiet), ", ".join(named)), width)
        return Text("\n").join(lines)

    def _results(self, width: int) -> Iterable[Text]:
        """The losses, what was written last, and what it came to."""
        if not self.models:
            return
        yield gpt_page.legend(self.models, self._styles)
        yield gpt_page.samples(
            self.models, width=width, lines=_SAMPLE, styles=self._styles, latest=True
        )
        for name, answer in self._answers.items():
            after = f"{name} after “{self._prompt}”"
            written = wrap(Text(" ".join((self._prompt + answer).split())), width)
            yield Text("\n").join([Text(after, self._styles.quiet), *written])
        said = gpt_page.conclusion(self.models)
        if said:
            yield Text("\n").join(wrap(Text(said), width))

    @property
    def _styles(self) -> Styles:
        look = self.services.look
        if "NO_COLOR" in os.environ:
            return Styles()
        return Styles(_CURVES[look], quiet_style(look))

    def hints(self) -> Iterable[Hint]:
        if self.is_busy:
            yield hint("back", "end it" if self._trainings is None else "end and keep it")
            return
        yield hint("gpt.train")
        yield hint("gpt.break")
        if self.models:
            yield hint("gpt.write")
        yield hint("gpt.text")
        yield hint("gpt.long")
        yield hint("back")

    # What the keys do.

    def action_back(self) -> None:
        """End the training and keep the model, or end the writing; then leave."""
        if self.is_busy:
            self._doing = "ending …"
            self._enough.set()
            if self._trainings is not None:
                self._trainings.end()
            self._redraw()
        else:
            super().action_back()

    def action_train(self) -> None:
        """Train for a minute."""
        self._train(Until(SECONDS))

    def action_train_long(self) -> None:
        """Train until the learner ends it."""
        self._train(Until(seconds=None))

    @queued
    async def action_break_it(self) -> None:
        """Choose a mistake and train it beside the right model."""
        if self.is_busy:
            return
        known = await self.database.run(partial(mistakes, self.services.home))

        async def chosen(name: str) -> None:
            self._train(Until(SECONDS), known[name])

        choices = {each.id: f"{each.id}: {each.title}" for each in known.values()}
        self.ask(PickScreen("Which mistake?", choices, _NOTE), chosen)

    def action_choose_text(self) -> None:
        """Ask for the file of the text that the next model trains on."""
        if self.is_busy:
            return

        async def chosen(written: Written) -> None:
            self._file = _path_of(written["path"].strip())
            if self._file is not None:
                try:
                    await self.database.run(partial(read_text, self._file))
                except InputError as error:
                    self._file = None
                    self.services.show_error(error)
            self._redraw()

        shown = "" if self._file is None else str(self._file)
        asked = EditorScreen(
            "Which text?", Field("path", "path", shown), explanation=_TEXT_NOTE, save="take it"
        )
        self.ask(asked, chosen)

    def action_write(self) -> None:
        """Ask for a prompt, after which the models that are shown go on."""
        if self.is_busy or not self.models:
            return

        async def chosen(written: Written) -> None:
            self._write(written["prompt"])

        field = Field("prompt", "prompt", self._prompt or "The ")
        self.ask(
            EditorScreen("Have it write", field, explanation=_PROMPT_NOTE, save="write"), chosen
        )


def _path_of(written: str) -> Path | None:
    """Return the path that was written, from the home folder where it begins with `~`."""
    return Path(written).expanduser().absolute() if written else None
