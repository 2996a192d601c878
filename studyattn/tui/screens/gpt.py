"""The learner's own GPT: it trains while you look, alone or beside one that makes a mistake.

It trains on Python's own help or on a file of the learner's, and writes after a prompt. Escape ends
a training and keeps the model.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Final

from rich.text import Text
from textual.containers import Horizontal, VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from studyattn.errors import InputError
from studyattn.lm.parts import GPT
from studyattn.study.practice import model_page
from studyattn.study.practice.gpt import (
    NAME,
    SECONDS,
    TrainedModel,
    Trainings,
    Until,
    read_text,
    text_of,
    trained_models,
    writing_model,
)
from studyattn.study.practice.model_page import ModelStyles
from studyattn.study.practice.model_parts import (
    OF_GPT,
    OF_WRITING,
    ModelMistake,
    OwnParts,
    own_parts,
)
from studyattn.study.practice.running import Saying, SideBySide, compared
from studyattn.tui.screens.lab import LabScreen
from studyattn.tui.theme import colours
from studyattn.tui.widgets.header_footer import ROOM, Offers, SidePanel

_WIDEST: Final = 120  # columns of what is drawn
_PANEL: Final = 66  # columns of the panel where there is room for it
_FRAME: Final = 4  # lines of the screen around its body
_LOWEST: Final = 6  # lines of the plot, at least
_OF_THE_PLOT: Final = "     validation loss over steps"
_SAMPLE: Final = 3  # lines of a sample; one less in a terminal of `_LOW` lines
_LOW: Final = 26
_WRITTEN: Final = 200  # characters that a model writes after a prompt
_PROMPT: Final = "The "  # after this, where the learner wrote no prompt
_LIVELY: Final = 0.8  # the temperature at which it writes them
_ENDING: Final = "ending …"

_NONE_YET: Final = (
    "Press space to train a model for a minute on Python's own help texts. It reads 64 characters "
    "and learns which one comes next. Press B to train one with a mistake alongside it, e to use "
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
    models: tuple[TrainedModel, ...] = ()
    _own: OwnParts | None = None
    _file: Path | None = None  # the text to train on; None for the default text
    _prompt = _PROMPT
    _sayings: tuple[Saying, ...] = ()  # what was written after the prompt
    _trainings: Trainings | None = None  # None while a model writes

    def body(self) -> Iterable[Widget]:
        with Horizontal():
            with VerticalScroll(id="reading"):
                yield Static(id="page", markup=False)
            yield SidePanel()

    async def load(self) -> None:
        self._own = await self.study(own_parts, kind=GPT)
        self.at_end()

    def at_end(self) -> None:
        """Show the model that was kept last, if there is one and nothing else is shown."""
        kept = trained_models(self.services.home) if not self.models else ()
        self.models += tuple(model for model in kept if model.name == NAME)

    # Training and writing.

    def _train(self, seconds: float | None, mistake: ModelMistake | None = None) -> None:
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
        trainings = Trainings(self._server, self.services.home, own, text, attentions)
        self._trainings = trainings
        train = partial(trainings.run, Until(seconds), self.tell)
        self.begin("training", trainings.stop, train, partial(setattr, self, "models"))

    async def _write(self, mistake: ModelMistake | None = None) -> None:
        """Have the models that are shown go on after the prompt, side by side.

        With a mistake, only the right one, without the mistake and with it.
        """
        own, models = self._own, self.models
        if self.is_busy or own is None or not models:
            return
        self._sayings, self._trainings = (), None
        server, home, prompt = self._server, self.services.home, self._prompt
        writers = [writing_model(server, home, own, each) for each in models]
        if mistake is not None:
            writers[1:] = [writing_model(server, home, own, models[0], mistake)]
        writing = SideBySide(server, writers)
        say = partial(compared, prompt=prompt, tokens=_WRITTEN, temperature=_LIVELY)
        write = partial(writing.take_turns, say, self.tell)
        self.begin("writing …", writing.stop, write, partial(setattr, self, "_sayings"))

    def end(self) -> None:
        if self._trainings is not None:
            self._trainings.end()
            self.rest()  # what is being kept is kept
        super().end()

    # How it is drawn.

    @property
    def width(self) -> int:
        return min(_WIDEST, super().width - _PANEL * self.is_wide)

    @property
    def is_wide(self) -> bool:
        """True where there is room for the panel."""
        return self.size.width >= ROOM

    def draw(self) -> None:
        self.headline("Your own GPT", self._progress())
        self.side.show(lambda width: Text("\n\n").join(filter(None, self._written(width))))
        about, quiet = self._about(), self.quiet
        own = () if self._own is None else self._own.parts
        parts = model_page.whose(own, _WHOSE, width=self.width, quiet=quiet)
        if not self.models:
            blocks = [about, parts]
            if not self.is_busy:
                blocks.append(model_page.trained_before(width=self.width, quiet=quiet))
            self.read(Text("\n\n").join(blocks))
            return
        below = [*self._results(), *([parts] if self.is_wide else [])]
        taken = sum(2 + text.plain.count("\n") for text in (about, *below))
        height = max(_LOWEST, self.size.height - _FRAME - taken)
        plot = model_page.curves(self.models, width=self.width, height=height, styles=self._styles)
        below[0] = Text("\n").join([plot, below[0]]) if plot else below[0]  # its curves' names
        further = () if self.is_wide else (*self._written(self.width), parts)
        self.read(Text("\n\n").join(filter(None, (about, *below, *further))))

    def _written(self, width: int) -> Iterable[Text]:
        """All that the models wrote, and what their numbers mean."""
        history = model_page.history(self.models, width=width, styles=self._styles)
        if history:
            yield Text.assemble(("What it wrote\n\n", "bold"), history)
        yield model_page.numbers(self.models, width=width, styles=self._styles)

    def _progress(self) -> str:
        if not self.models:
            return self._doing
        first = self.models[0]
        speed = f"{first.tokens_per_second:,.0f} characters/s"
        return f"{self._doing}   step {first.steps}   {first.seconds:.0f} s   {speed}".strip()

    def _about(self) -> Text:
        """Return lines on the models, or on what the keys do before there is one."""
        quiet = self.quiet
        lines = [self.told("A worker starts …" if self._doing else _NONE_YET)]
        if self.models:
            titled = (model for model in self.models if model.title)
            lines = [self.told((self.models[0].head, quiet))]
            lines += (self.told(each.title, (f"  {each.name}", quiet)) for each in titled)
        if self._file is not None and not any(m.text == str(self._file) for m in self.models):
            lines.append(self.told(("next training text: ", quiet), str(self._file)))
        return Text("\n").join(lines)

    def _results(self) -> Iterable[Text]:
        """The losses, what was written last, and what it came to."""
        width, styles = self.width, self._styles
        legend = model_page.legend(self.models, styles)
        if legend.cell_len + len(_OF_THE_PLOT) <= width:
            legend.append(_OF_THE_PLOT, styles.quiet)
        yield legend
        if self._sayings:
            yield model_page.said(self._prompt, self._sayings, width=width, quiet=styles.quiet)
        elif not self.is_wide:  # there they stand beside
            lines = _SAMPLE if self.size.height > _LOW else _SAMPLE - 1
            yield model_page.samples(
                self.models, width=width, lines=lines, styles=styles, latest=True
            )
        if said := model_page.conclusion(self.models):
            yield self.told(said)

    @property
    def _styles(self) -> ModelStyles:
        if "NO_COLOR" in os.environ:
            return ModelStyles()
        worn = colours()
        return ModelStyles((worn.accent, worn.wrong), self.quiet)

    def hints(self) -> Offers:
        if self._doing == _ENDING:
            return (("back", "leave"),)
        if self.is_busy:
            return (("back", "end it" if self._trainings is None else "stop and keep it"),)
        wrong = bool(self.models) and self.models[0].mistake is None and "wrong"
        return ("train break", bool(self.models) and "write", wrong, "text long back")

    # What the keys do.

    def action_back(self) -> None:
        """End the training and keep the model, or end the writing; then leave.

        While something ends, it is left: what does not end within seconds is ended.
        """
        if self.is_busy and self._doing != _ENDING:
            self._doing = _ENDING
            if self._trainings is not None:
                self._trainings.end()
            else:
                self.run_worker(self._stop, thread=True)
            self.redraw()
        else:
            super().action_back()

    def action_train(self, seconds: float | None = SECONDS) -> None:
        """Train for a minute; without seconds until the learner ends it."""
        self._train(seconds)

    async def action_break_it(self) -> None:
        async def chosen(mistake: ModelMistake) -> None:
            self._train(SECONDS, mistake)

        await self.choose_mistake(OF_GPT, "Which mistake?", _NOTE, chosen)

    async def action_write_wrong(self) -> None:
        if self.models and self.models[0].mistake is None:
            title = "Which mistake in writing?"
            await self.choose_mistake(OF_WRITING, title, _WRITING_NOTE, self._write)

    def action_choose_text(self) -> None:
        async def chosen(written: str) -> None:
            self._file = None
            try:
                self._file = await self.database.run(_text_file, written.strip())
            finally:
                self.redraw()

        shown = "" if self._file is None else str(self._file)
        self.ask_line("Which text?", shown, chosen, _TEXT_NOTE, save="use it")

    def action_write(self) -> None:
        async def chosen(written: str) -> None:
            self._prompt = written
            await self._write()

        if self.models:
            self.ask_line("Continue a text", self._prompt, chosen, _PROMPT_NOTE, save="write")


def _text_file(written: str) -> Path | None:
    """Return the file that is meant, from the home folder where it begins with `~`.

    None where nothing is written. Raises InputError where it cannot be trained on.
    """
    if not written:
        return None
    path = Path(written).expanduser().absolute()
    read_text(path)
    return path
