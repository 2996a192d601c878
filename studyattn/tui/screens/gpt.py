"""The learner's own GPT: it trains while you look, alone or beside one that makes a mistake.

It trains on Python's own help or on a file of the learner's, and writes after a prompt. Escape ends
a training and keeps the model.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, Final

from rich.text import Text
from textual.content import Content

from studyattn.errors import InputError
from studyattn.lm.parts import GPT
from studyattn.lm.process import ModelServer
from studyattn.study.practice import model_page
from studyattn.study.practice.gpt import (
    NAME,
    SECONDS,
    TrainedModel,
    Trainings,
    Until,
    Writing,
    read_text,
    text_of,
    trained_models,
)
from studyattn.study.practice.model_page import Styles
from studyattn.study.practice.model_parts import (
    OF_GPT,
    OF_WRITING,
    ModelMistake,
    OwnParts,
    own_parts,
)
from studyattn.study.practice.running import Comparison, Saying
from studyattn.text.lines import wrap
from studyattn.tui.dialogs.editor import EditorScreen, Field, Written
from studyattn.tui.screens.base import queued
from studyattn.tui.screens.lab import LONGEST_END, LabScreen
from studyattn.tui.theme import colours
from studyattn.tui.widgets import gpt_side
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.side_panel import ROOM, SidePanel

_WIDEST: Final = 120
"""Columns of what is drawn, at most."""

_PANEL: Final = 66
"""Columns of the panel in a wide terminal."""

_FRAME: Final = 4
"""Lines of the screen around its body."""

_LOWEST: Final = 6
"""Lines of the plot, at least."""

_OF_THE_PLOT: Final = "     validation loss over steps"

_SAMPLE: Final = 3
"""Lines of a sample; one less in a terminal of `_LOW` lines."""

_LOW: Final = 26

_WRITTEN: Final = 200
"""Characters that a model writes after a prompt."""

_PROMPT: Final = "The "
"""After this, where the learner wrote no prompt."""

_LIVELY: Final = 0.8
"""The temperature at which it writes them."""

_ENDING: Final = "ending …"

_NONE_YET: Final = (
    "Press space to train a model for a minute on Python's own help texts. It reads 64 characters "
    "and learns which one comes next. Press b to train one with a mistake alongside it, t to use "
    "your own text."
)


_NOTE: Final = "A model with this mistake trains alongside the correct one, for a minute each."

_WRITING_NOTE: Final = (
    "The model stays as it was trained. It continues the prompt correctly, then with the mistake."
)

_TEXT_NOTE: Final = (
    "A UTF-8 file of at least 4,000 characters, such as a book or your notes. Empty = Python's "
    "own help."
)

_PROMPT_NOTE: Final = (
    "The model continues this text. Characters missing from its training text are skipped."
)

_WHOSE: Final = {"yours": "Yours", "lent": "From the pack until you pass the drill"}


class GptScreen(LabScreen, wide=ROOM):
    """One page: parts, curves, what was written, what it came to."""

    SCOPE = "Your own GPT"

    def __init__(self) -> None:
        super().__init__()
        self.models: tuple[TrainedModel, ...] = ()
        self._own: OwnParts | None = None
        self._file: Path | None = None  # the text to train on; None for the default text
        self._prompt = ""
        self._sayings: tuple[Saying, ...] = ()  # what was written after the prompt
        self._trainings: Trainings | None = None  # None while a model writes

    async def load(self) -> None:
        self._own = await self.database.run_with_profile(partial(own_parts, kind=GPT))
        if not self.models:
            self._show_kept()
        self.draw()
        self.show_hints()

    def _show_kept(self) -> None:
        """Show the model that was kept last, if there is one."""
        kept = trained_models(self.services.home)
        self.models = tuple(model for model in kept if model.name == NAME)

    # Training and writing.

    def _train(self, until: Until, mistake: ModelMistake | None = None) -> None:
        own = self._own
        if self.is_busy or own is None:
            return
        try:
            text = text_of(self._file)
        except InputError as error:
            self.services.show_error(error)
            return
        self.models, self._sayings = (), ()
        attentions = (None,) if mistake is None else (None, mistake)
        trainings = Trainings(ModelServer(), self.services.home, own, text, attentions)
        self._trainings = trainings
        tell = partial(self.tell, "training")
        self.begin(trainings, lambda: trainings.run(until, tell))

    def _write(self, prompt: str, mistake: ModelMistake | None = None) -> None:
        """Have the models that are shown go on after the prompt, side by side.

        With a mistake, only the right one, without the mistake and with it.
        """
        own, models = self._own, self.models
        if self.is_busy or own is None or not models:
            return
        self._prompt, self._sayings, self._trainings = prompt, (), None
        server, home = ModelServer(), self.services.home
        writers = [Writing(server, home, own, each) for each in models]
        if mistake is not None:
            writers[1:] = [Writing(server, home, own, models[0], mistake)]
        writing = Comparison(server, writers)
        tell = partial(self.tell, "writing …")
        self.begin(writing, lambda: writing.run(prompt, _WRITTEN, tell, temperature=_LIVELY))

    def hear(self, found: Any) -> None:
        if self._trainings is None:
            self._sayings = found
        else:
            self.models = found

    def at_end(self) -> None:
        if not self.models:
            self._show_kept()

    def end_softly(self) -> None:
        if self._trainings is not None:
            self._doing = _ENDING
            self._trainings.end()
            self._at_rest.wait(LONGEST_END)  # what is being kept is kept

    # How it is drawn.

    def draw(self) -> None:
        self.headline("Your own GPT", self._progress())
        self.query_one(SidePanel).show(self._draw_panel)
        width, styles = self.width_within(_WIDEST, _PANEL if self.is_wide else 0), self._styles
        about = Text("\n").join(self._about(width))
        own = () if self._own is None else self._own.parts
        parts = model_page.whose(own, _WHOSE, width=width, quiet=styles.quiet)
        if self.models:
            below = [*self._results(width), *([parts] if self.is_wide else [])]
            taken = sum(2 + text.plain.count("\n") for text in (about, *below))
            height = max(_LOWEST, self.size.height - _FRAME - taken)
            plot = model_page.curves(self.models, width=width, height=height, styles=styles)
            below[0] = Text("\n").join([plot, below[0]]) if plot else below[0]  # its curves' names
            blocks = [about, *below]
            if not self.is_wide:
                blocks += [*self._written(width), parts]
        else:
            blocks = [about, parts]
            if not self.is_busy:
                blocks.append(model_page.trained_before(width=width, quiet=styles.quiet))
        self.read(Text("\n\n").join(text for text in blocks if text))

    def _draw_panel(self, width: int) -> Content | Text:
        """What stands beside the page: how the model is put together, or all that it wrote."""
        written = self._written(width)
        if self.models:
            return Text("\n\n").join(written)
        assembled = gpt_side.draw(() if self._own is None else self._own.parts, width)
        return Content("\n\n").join([assembled, *map(Content.from_rich_text, written)])

    def _written(self, width: int) -> list[Text]:
        """All that the models wrote, and what their numbers mean."""
        history = model_page.history(self.models, width=width, styles=self._styles)
        told = (
            [Text("\n").join([Text("What it wrote", "bold"), Text(), history])] if history else []
        )
        return [*told, model_page.numbers(self.models, width=width, styles=self._styles)]

    def _progress(self) -> str:
        if not self.models:
            return self._doing
        first = self.models[0]
        speed = f"{first.tokens_per_second:,.0f} characters/s"
        return f"{self._doing}   step {first.steps}   {first.seconds:.0f} s   {speed}".strip()

    def _about(self, width: int) -> list[Text]:
        """Return lines on the models, or on what the keys do before there is one."""
        quiet = self._styles.quiet
        if self.models:
            lines = wrap(Text(self.models[0].head, quiet), width)
            for model in self.models:
                if model.title:
                    lines += wrap(Text.assemble(model.title, (f"  {model.name}", quiet)), width)
        else:
            lines = wrap(Text("A worker starts …" if self._doing else _NONE_YET), width)
        if self._file is not None and not any(m.text == str(self._file) for m in self.models):
            lines += wrap(Text.assemble(("next training text: ", quiet), str(self._file)), width)
        return lines

    def _results(self, width: int) -> Iterable[Text]:
        """The losses, what was written last, and what it came to."""
        legend = model_page.legend(self.models, self._styles)
        if legend.cell_len + len(_OF_THE_PLOT) <= width:
            legend.append(_OF_THE_PLOT, self._styles.quiet)
        yield legend
        if self._sayings:
            quiet = self._styles.quiet
            yield model_page.said(self._prompt, self._sayings, width=width, quiet=quiet)
        elif not self.is_wide:  # there they stand beside
            lines = _SAMPLE if self.size.height > _LOW else _SAMPLE - 1
            yield model_page.samples(
                self.models, width=width, lines=lines, styles=self._styles, latest=True
            )
        said = model_page.conclusion(self.models)
        if said:
            yield Text("\n").join(wrap(Text(said), width))

    @property
    def _styles(self) -> Styles:
        if "NO_COLOR" in os.environ:
            return Styles()
        worn = colours()
        return Styles((worn.accent, worn.wrong), self.quiet)

    def hints(self) -> Iterable[Hint]:
        if self._doing == _ENDING:
            yield hint("back", "leave")
            return
        if self.is_busy:
            yield hint("back", "end it" if self._trainings is None else "stop and keep it")
            return
        yield hint("gpt.train")
        yield hint("gpt.break")
        if self.models:
            yield hint("gpt.write")
            if self.models[0].mistake is None:
                yield hint("gpt.wrong")
        yield hint("gpt.text")
        yield hint("gpt.long")
        yield hint("back")

    # What the keys do.

    def action_back(self) -> None:
        """End the training and keep the model, or end the writing; then leave.

        While something ends, it is left: what does not end within seconds is ended.
        """
        if self.is_busy and self._doing != _ENDING:
            self._doing = _ENDING
            if self._trainings is not None:
                self._trainings.end()
            elif self._stop is not None:
                self.run_worker(asyncio.to_thread(self._stop))
            self.redraw()
        else:
            super().action_back()

    def action_train(self, seconds: float | None = SECONDS) -> None:
        """Train for a minute; without seconds until the learner ends it."""
        self._train(Until(seconds))

    @queued
    async def action_break_it(self) -> None:
        """Choose a mistake and train it beside the right model."""
        if self.is_busy:
            return

        async def chosen(mistake: ModelMistake) -> None:
            self._train(Until(SECONDS), mistake)

        await self.choose_mistake(OF_GPT, "Which mistake?", _NOTE, chosen)

    @queued
    async def action_write_wrong(self) -> None:
        """Choose a mistake in writing; the model goes on after the prompt without and with it."""
        if self.is_busy or not self.models or self.models[0].mistake is not None:
            return

        async def chosen(mistake: ModelMistake) -> None:
            self._write(self._prompt or _PROMPT, mistake)

        title = "Which mistake in writing?"
        await self.choose_mistake(OF_WRITING, title, _WRITING_NOTE, chosen)

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
            self.redraw()

        shown = "" if self._file is None else str(self._file)
        asked = EditorScreen(
            "Which text?", Field("path", "path", shown), explanation=_TEXT_NOTE, save="use it"
        )
        self.ask(asked, chosen)

    def action_write(self) -> None:
        """Ask for a prompt, after which the models that are shown go on."""
        if self.is_busy or not self.models:
            return

        async def chosen(written: Written) -> None:
            self._write(written["prompt"])

        field = Field("prompt", "prompt", self._prompt or _PROMPT)
        self.ask(
            EditorScreen("Continue a text", field, explanation=_PROMPT_NOTE, save="write"), chosen
        )


def _path_of(written: str) -> Path | None:
    """Return the path that was written, from the home folder where it begins with `~`."""
    return Path(written).expanduser().absolute() if written else None
