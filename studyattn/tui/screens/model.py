"""A real language model on the learner's parts, alone or beside one that makes a mistake.

And one run of a pack in it: what was recorded, and beside it what it measures now.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from rich.text import Text

from studyattn.packs.model_runs import Compared, ModelRun, installed_runs
from studyattn.study.practice import model_page, model_runs
from studyattn.study.practice.model_parts import (
    MINE,
    NO_PUTS,
    OF_LLAMA,
    WHOSE,
    ModelMistake,
    OwnParts,
    lent_parts,
    read_puts,
    wanted_parts,
    with_puts,
)
from studyattn.study.practice.running import (
    PROMPT,
    TEXT,
    InUse,
    RunningModel,
    Saying,
    SideBySide,
    compared,
)
from studyattn.text.lines import wrap
from studyattn.tui.formatting import READING_WIDTH
from studyattn.tui.screens.base import queued
from studyattn.tui.screens.lab import LabScreen
from studyattn.tui.theme import colours
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.heatmap import beside
from studyattn.tui.widgets.rendered_text import face

_TOKENS: Final = 40  # tokens that are written

_PLACES: Final = (
    "quantized-linear, int8-cache, paged-cache, speculative-step or min-p; numbers after a colon, "
    "as in quantized-linear:bits=4. With speculative-step:gpt=NAME, your GPT drafts. The plain "
    "model runs alongside. Afterward, B offers the drills’ mistakes, too. An empty line takes all "
    "out."
)

_NOTE: Final = "Every attention layer makes it. The correct model runs alongside it."
_NOTE_OF_PUTS: Final = "The first are of what you put in. The correct code runs alongside it."


class ModelScreen(LabScreen):
    """One page: the parts, and what the model says, right and broken."""

    SCOPE = "A real language model"
    sayings: tuple[Saying, ...] = ()
    _prompt = PROMPT
    _put = "speculative-step"
    _puts = NO_PUTS
    _model: InUse | None = None
    _mine: OwnParts | None = None
    _runs: tuple[ModelRun, ...] = ()

    async def load(self) -> None:
        self._mine = await self.study(wanted_parts, MINE)
        self._model = self.look_up()
        self._runs = await self.database.run(installed_runs, self.services.home)
        self.redraw()

    async def _say(self, *further: OwnParts) -> None:
        """Have the plain model write, and beside it what further parts make of what is put in.

        Beside a mistake, the right one has that put in, too.
        """
        model = self._model
        if self.is_busy or model is None or self._mine is None:
            return
        self.sayings = ()
        server, home, prompt = model.server(), self.services.home, self._prompt
        right, puts = self._mine, self._puts
        server.kind = with_puts(puts)
        in_both = puts if any(each.wrong for each in further) else NO_PUTS
        if in_both:
            right = await self.study(wanted_parts, MINE, in_both)
        beside = (RunningModel(server, home, each, puts=puts) for each in further)
        models = SideBySide(server, (RunningModel(server, home, right, puts=in_both), *beside))
        tell = partial(self.tell, "writing")
        say = partial(compared, prompt=prompt, tokens=_TOKENS, scored=TEXT)
        self.begin(models, lambda: models.take_turns(say, tell))

    def hear(self, found: tuple[Saying, ...]) -> None:
        self.sayings = found

    # How it is drawn.

    def draw(self) -> None:
        self.headline("A real language model", self._doing)
        width, quiet = self.width, self.quiet
        blocks = []
        if self._model is None:
            blocks.append(self.told(self._lacking))
        else:
            kept = self._model.kept
            name = self.told((f"{kept.name}, {kept.parameters:,} parameters", quiet))
            own = () if self._mine is None else self._mine.parts
            whose = model_page.whose(own, WHOSE, width=width, quiet=quiet)
            blocks.append(Text("\n").join(filter(None, (name, whose))))
        if self.sayings:
            said = model_page.said(self._prompt, self.sayings, width=width, quiet=quiet)
            blocks += [said, *(self.told(each.title) for each in self.sayings if each.title)]
        elif self.is_busy:
            blocks.append(Text("A worker loads the model …"))
        blocks.append(model_page.said_before(self._runs, width=width, quiet=quiet))
        self.read(Text("\n\n").join(blocks))

    def hints(self) -> Offers:
        return (
            self._model is not None and not self.is_busy and "say prompt put break heads",
            "back",
        )

    # What the keys do.

    @queued
    async def action_say_it(self) -> None:
        await self._say()

    def action_prompt(self) -> None:
        async def taken(written: str) -> None:
            if written:
                self._prompt = written
                await self._say()

        if self._model is not None:
            ways = {"save": "continue", "leave": "cancel"}
            self.ask_line("What should it continue?", self._prompt, taken, **ways)

    @queued
    async def action_break_it(self) -> None:
        puts = self._puts

        async def chosen(mistake: ModelMistake) -> None:
            home = self.services.home
            wrong = await self.database.run(lent_parts, home, mistake.id, puts)
            await self._say(wrong)

        if self._model is not None:
            note = _NOTE_OF_PUTS if puts else _NOTE
            await self.choose_mistake(OF_LLAMA, "Which mistake?", note, chosen, puts)

    def action_put_in(self) -> None:
        async def taken(written: str) -> None:
            puts = await self.database.run(read_puts, self.services.home, written.split())
            self._put, self._puts = written, puts
            if puts:
                await self._say(await self.study(wanted_parts, MINE, puts))

        if self._model is not None:
            ways = {"save": "put in", "leave": "cancel"}
            self.ask_line("Which drills’ code?", self._put, taken, _PLACES, **ways)


class RunScreen(LabScreen, global_keys=False):
    """The recorded figures of a run, and those of now where a model is there."""

    SCOPE = "What a real model says"
    HINTS = ("heads back",)
    WIDEST = 150

    def __init__(self, run: ModelRun) -> None:
        super().__init__()
        self.run_now: ModelRun | None = None  # as it was measured here
        self._run_recorded = run

    async def load(self) -> None:
        if self._asked is not None or self._lacking:
            return
        run = self._run_recorded
        parts = partial(self.database.run, model_runs.parts_of, self.services.home, run)
        if await self.find_model(parts):
            measure = partial(model_runs.measured, run)
            self.run_now = await self.answer("measuring …", measure)
        self.redraw()

    def draw(self) -> None:
        run, now, width = self._run_recorded, self.run_now, self.width
        self.headline(run.title, self._doing)
        narrow = min(READING_WIDTH, width)
        lines = [self.told((run.asked.command, self.quiet)), Text()]
        lines += [face(run.shows, narrow), Text()]
        same = now is not None and model_runs.agrees(run.asked, now.asked)
        told = "recorded with SmolLM2 135M" + (", and measured now: the same" if same else "")
        if now is None or same:
            blocks = [_block(told, run, width)]
        else:
            told_now = "measured now: it differs"
            blocks = [_block(told, run, narrow), _block(told_now, now, narrow)]
        lines += beside(blocks, width)
        if self._lacking:
            lines += [Text(), *wrap(Text(self._lacking, self.quiet), narrow)]
        self.read(Text("\n").join(lines))

    def action_heads(self) -> None:
        asked = self._run_recorded.asked
        self.go("heads", *(asked.texts[:1] if isinstance(asked, Compared) else ()))


def _block(title: str, run: ModelRun, width: int) -> list[Text]:
    text = Text("\n").join(map(Text, model_runs.lines_of(run.asked, width=width, whole=True)))
    text.highlight_regex("█+", colours().accent)
    return [Text(title, "bold"), *wrap(text, width)]
