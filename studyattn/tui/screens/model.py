"""A real language model on the learner's parts, in four tabs, with one model at work behind them.

What it says, alone or beside one that makes a mistake; its heads on a sentence, as small maps and
one in detail; its guesses by layer; and the runs of packs: what was recorded, and what it measures
now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

from rich.text import Text
from textual.content import Content
from textual.geometry import Region
from textual.widgets import Static

from studyattn.errors import StudyattnError
from studyattn.lm import questions
from studyattn.lm.questions import Question
from studyattn.lm.records import HeadTables, HeadWeights, Patterns, Put, Switched
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
    HEADS_TEXT,
    PROMPT,
    TEXT,
    InUse,
    RunningModel,
    Saying,
    SideBySide,
    compared,
    in_use,
)
from studyattn.text.lines import wrap
from studyattn.tui.formatting import READING_WIDTH, tabs
from studyattn.tui.screens.base import need, queued
from studyattn.tui.screens.lab import LabScreen
from studyattn.tui.services import BESIDE
from studyattn.tui.theme import colours
from studyattn.tui.widgets import head_maps
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.heatmap import beside, fits
from studyattn.tui.widgets.rendered_text import face

T = TypeVar("T")

Drawn = tuple[str, str, Text, Text | None]
"""The title of a tab, and what stands beside it, above what scrolls, and there.

With None, what is there stays until more is known.
"""

_TITLE: Final = "A real language model"
_TOKENS: Final = 40  # tokens that are written
_RIGHT: Final = Switched()
_GAP: Final = 5  # columns between the tabs and what stands beside them, where there is room
_NEXT: Final = 8  # next tokens that are shown
_GUESSED: Final = 8  # guesses of each layer, where there is room for them

_PLACES: Final = (
    "quantized-linear, int8-cache, paged-cache, speculative-step or min-p; numbers after a colon, "
    "as in quantized-linear:bits=4. With speculative-step:gpt=NAME, your GPT drafts. The plain "
    "model runs alongside. Afterward, B offers the drills’ mistakes, too. An empty line takes all "
    "out."
)

_NOTE: Final = "Every attention layer makes it. The correct model runs alongside it."
_NOTE_OF_PUTS: Final = "The first are of what you put in. The correct code runs alongside it."
_NOTE_OF_TEXT: Final = "Up to 32 tokens, or about 20 words."

_WIDEST: Final = {"write": 120, "heads": 200, "layers": 200, "runs": 150}
"""The tabs, and the columns of what is drawn in each, at most."""

_TABS: Final = {f"screen.open('{tab}')": tab for tab in _WIDEST}


class ModelScreen(LabScreen, before_widgets=True):
    """One tab at a time. What it lacks is asked of the one model that all of them ask."""

    SCOPE = _TITLE
    TABS = True
    tab = "write"
    # What it says.
    sayings: tuple[Saying, ...] = ()
    _prompt = PROMPT
    _put = "speculative-step"
    _puts = NO_PUTS
    # Its heads and layers on a text.
    text = HEADS_TEXT
    patterns: Patterns | None = None
    chosen = 0  # the head, as a place in the list of all
    is_one = False  # True while it is shown alone
    switched = _RIGHT
    _maps: Sequence[tuple[str, ...]] = ()
    _sorted = False  # by kind
    _query = 0  # the token whose row of weights is written out
    _values = False  # True where they are shown in the weights' place
    # The runs of packs.
    _runs: tuple[ModelRun, ...] = ()
    # The model.
    _mine: OwnParts | None = None
    _model: InUse | None = None
    _lacking = ""  # why there is none
    _kept: RunningModel | None = None  # it stays for the next question

    def __init__(self, run: ModelRun | None = None) -> None:
        super().__init__()
        self.run = run
        self.tab = self._first = self.tab if run is None else "runs"
        self._answers: dict[object, Any] = {}
        self._unasked: list[tuple[object, Callable[[RunningModel], object]]] = []

    async def load(self) -> None:
        self._mine = await self.study(wanted_parts, MINE)
        self._runs = await self.database.run(installed_runs, self.services.home)
        self.run = self.run or next(iter(self._runs), None)
        if self._model is not None:
            return
        try:
            self._model = in_use()
            self._server = self._model.server()
        except StudyattnError as error:
            told = str(error).rstrip(".")
            self._lacking = f"{told[:1].upper()}{told[1:]}."

    # The model at work.

    def _made(self, wanted: OwnParts, puts: Mapping[str, Put]) -> RunningModel:
        self._server.kind = with_puts(puts)
        return RunningModel(self._server, self.services.home, wanted, puts=puts)

    def _at_work(self, wanted: OwnParts, puts: Mapping[str, Put] = NO_PUTS) -> RunningModel:
        """Return the model of these parts that is at work, or else a new one in its place."""
        kept = self._kept
        if kept is not None and (kept.wanted, kept.puts) == (wanted, puts):
            return kept
        self._end_kept()
        self._kept = self._made(wanted, puts)
        return self._kept

    def _end_kept(self) -> None:
        if self._kept is not None:
            self._kept.__exit__()

    def end(self) -> None:
        super().end()
        self._end_kept()

    def _answer(self, key: object, ask: Callable[[RunningModel], T]) -> T | None:
        """Return what a model has answered; it is asked soon where it was not yet.

        What is asked is a run, or else a question to the learner's own model.
        """
        if key not in self._answers:
            self._unasked.append((key, ask))
        return self._answers.get(key)

    def _on_text(self, question: Question[T], **how: Any) -> T | None:
        """Return the answer to a question on the text, as soon as it is there."""
        how["text"] = self.text
        return self._answer((question.of, *how.values()), lambda model: model.ask(question, **how))

    def redraw(self, notice: str | None = "") -> None:
        """Draw what is known by now, and ask for what is not."""
        super().redraw(notice)
        self.do(self._ask)

    async def _ask(self) -> None:
        """Ask what the open tab lacks, unless the model is at work: its end draws again."""
        parts = self._mine
        if not self._unasked or self._model is None or self.is_busy or not self.is_active:
            return  # not active: below an error, what led to it is not asked again
        key, ask = self._unasked[0]
        if isinstance(key, ModelRun):
            parts = await self.database.run(model_runs.parts_of, self.services.home, key)
        model = self._at_work(need(parts))
        work, then = partial(model.started, ask), partial(self._answers.__setitem__, key)
        self.begin("measuring …", model.stop, work, then, BESIDE)

    # How it is drawn.

    @property
    def width(self) -> int:
        return min(_WIDEST[self.tab], super().width)

    def draw(self) -> None:
        self._unasked.clear()
        drawings = {"write": self._draw_sayings, "runs": self._draw_run}
        title, place, above, below = drawings.get(self.tab, self._draw_text)()
        self.headline(title, self._doing or place)
        above.truncate(self.width, overflow="ellipsis")
        names = tabs(_TABS, f"screen.open('{self.tab}')")
        is_beside = above and names.cell_length + _GAP + above.cell_len <= self.width
        told = Content.from_rich_text(Text.assemble(above))
        shown = Content.assemble(names, " " * _GAP if is_beside else "\n", told)
        self.query_one("#tabs", Static).update(shown)
        if below is not None:
            self.read(below)

    def _draw_sayings(self) -> Drawn:
        width, quiet, about = self.width, self.quiet, Text()
        blocks = [self.told(self._lacking)]
        if self._model is not None:
            kept = self._model.kept
            about = Text(f"{kept.name}, {kept.parameters:,} parameters", quiet)
            own = need(self._mine).parts
            blocks = [model_page.whose(own, WHOSE, width=width, quiet=quiet)]
        if self.sayings:
            said = model_page.said(self._prompt, self.sayings, width=width, quiet=quiet)
            blocks += [said, *(self.told(each.title) for each in self.sayings if each.title)]
        elif self.is_busy:
            blocks.append(Text("A worker loads the model …"))
        blocks.append(model_page.said_before(self._runs, width=width, quiet=quiet))
        return _TITLE, "", about, Text("\n\n").join(filter(None, blocks))

    def _draw_text(self) -> Drawn:
        """Draw layers or heads: all of these below what the letters in the maps mean, or one.

        What is drawn stays until more is known.
        """
        found = self._on_text(questions.PATTERNS)
        if found is not None and found is not self.patterns:
            self.patterns, self._maps = found, head_maps.small_maps(found)
            self.chosen = min(self.chosen, len(found.heads) - 1)
            self._query = len(found.pieces) - 1
            self.call_after_refresh(self._scroll_to_chosen)
        if self.patterns is None:
            waits = self._lacking or (self._doing and "A worker loads the model …")
            return _TITLE, "", Text(), self.told(waits)
        if self.tab == "layers":
            return self._draw_layers(self.patterns)
        if self.is_one:
            return self._draw_one()
        heads = self.patterns.heads
        legend = head_maps.legend(heads, self.width)
        grid = head_maps.grid(self._rows, self._maps, heads, self.chosen)
        return "Heads of a real model", head_maps.name_of(self.head), legend, grid

    def _draw_one(self) -> Drawn:
        """Draw one head with what is switched in it, below what comes next."""
        mask = "causal mask" if self.switched.masked else "no mask"
        scale = "÷√d" if self.switched.scaled else "not scaled"
        place = f"{mask}   {scale}" + ("" if self.switched.adds else "   adds nothing")
        title, tables = f"Head {head_maps.name_of(self.head)}", self.tables
        if tables is None:
            return title, place, head_maps.next_line([], is_switched=False), None
        is_switched = self.switched != _RIGHT
        first = head_maps.weights_map(tables, self._query)
        first = head_maps.values_map(tables) if self._values else first
        what = f"head {self._place} switched" if is_switched else ""
        numbers = head_maps.query_table(tables, self._query)
        coming = head_maps.next_tokens(tables.shares, what)
        blocks = [first, numbers, coming]
        if not fits(blocks, self.width):
            blocks = [first, [*numbers, Text(), *coming]]
        above = head_maps.next_line(tables.shares, is_switched=is_switched)
        return title, place, above, Text("\n").join(beside(blocks, self.width))

    def _draw_layers(self, found: Patterns) -> Drawn:
        """Draw the guesses of all layers below the sentence."""
        guesses = self._on_text(questions.GUESSES, count=_GUESSED, off=None) or []
        tokens = "|".join(head_maps.piece(each) for each in found.pieces)
        cut = f"   the first {len(found.pieces)} of {found.tokens} tokens"
        line = Text(tokens + (cut if found.tokens > len(found.pieces) else ""), self.quiet)
        below = Text("\n").join(head_maps.guesses_by_layer(guesses, self.width))
        return "Predictions, layer by layer", "", line, below

    def _draw_run(self) -> Drawn:
        """Draw the recorded figures of a run, and those of now where a model is there."""
        run, width = self.run, self.width
        if run is None:
            return "Recorded runs", "", Text(), self.told("No pack has recorded any.")
        now = self.run_now
        narrow = min(READING_WIDTH, width)
        same = now is not None and model_runs.agrees(run.asked, now.asked)
        told = "recorded with SmolLM2 135M" + (", and measured now: the same" if same else "")
        if now is None or same:
            blocks = [_block(told, run, width)]
        else:
            told_now = "measured now: it differs"
            blocks = [_block(told, run, narrow), _block(told_now, now, narrow)]
        lines = [self.told((run.asked.command, self.quiet)), Text()]
        lines += [face(run.shows, narrow), Text(), *beside(blocks, width)]
        if self._lacking:
            lines += [Text(), *wrap(Text(self._lacking, self.quiet), narrow)]
        place = f"{self._runs.index(run) + 1} of {len(self._runs)}" if run in self._runs else ""
        return run.title, place, Text(), Text("\n").join(lines)

    @property
    def head(self) -> HeadWeights:
        return need(self.patterns).heads[self.chosen]

    @property
    def _place(self) -> str:
        return f"{self.head.layer}.{self.head.head}"

    @property
    def tables(self) -> HeadTables | None:
        """The numbers of the chosen head, once they are known."""
        how = {"head": self._place, "switched": self.switched, "count": _NEXT}
        return self._on_text(questions.HEAD, **how)

    @property
    def run_now(self) -> ModelRun | None:
        """The run as it is measured here, once it is."""
        run = need(self.run)
        return self._answer(run, partial(model_runs.measured, run))

    @property
    def _rows(self) -> head_maps.Rows:
        heads = self.patterns.heads if self.patterns is not None else []
        arrange = head_maps.by_kind if self._sorted else head_maps.by_layer
        return arrange(heads, self.width)

    def _open(self, tab: str, *, one: bool = False) -> None:
        """Open a tab at its top, or at the chosen head; `one` shows that alone."""
        self.tab, self.is_one = tab, one
        self.redraw()
        self.reading.scroll_to(y=0, animate=False)
        self._scroll_to_chosen()

    @property
    def _has_all(self) -> bool:
        """True while all heads are shown."""
        return self.patterns is not None and self.tab == "heads" and not self.is_one

    def _scroll_to_chosen(self) -> None:
        if self._has_all:
            self._bring_into_view(head_maps.line_of(self._rows, self.chosen), head_maps.LINES)

    def _bring_into_view(self, first: int, lines: int) -> None:
        region = Region(0, first, 1, lines)
        self.reading.scroll_to_region(region, animate=False)

    def hints(self) -> Offers:
        if self.is_one:
            return (
                ("right", "head", "← →"),
                "mask scale",
                ("ablate", "" if self.switched.adds else "switch it on"),
                ("values", "weights" if self._values else ""),
                ("down", "token", "↑ ↓"),
                "layers back",
            )
        order = ("order", "by layer" if self._sorted else "by kind")
        return (
            self.tab == "write" and self._model and not self.is_busy and "say text put break",
            *((("zoom",), order, "text") if self._has_all else ()),
            self.tab == "runs" and ("right", "run", "← →"),
            {"heads": self.tab != "heads", "layers": self.tab != "layers"},
            "next back",
        )

    # What the keys do.

    def action_open(self, name: str) -> None:
        """Open a tab; the heads from a run that compares texts, on the first of them."""
        asked = self.run and self.run.asked
        if (self.tab, name) == ("runs", "heads") and isinstance(asked, Compared):
            self.text = asked.texts[0]
        self.switched = _RIGHT
        self._open(name)

    def action_turn(self, by: int) -> None:
        tabs = [*_WIDEST]
        self.action_open(tabs[(tabs.index(self.tab) + by) % len(tabs)])

    def action_back(self) -> None:
        """Go back to all heads, then to the tab that was opened first, then leave."""
        of_heads = self.is_one or self.tab == "layers"
        if of_heads or self.tab != self._first:
            self.action_open("heads" if of_heads else self._first)
        else:
            super().action_back()

    def action_move(self, across: int, down: int) -> None:
        if self._has_all:
            self.chosen = head_maps.moved(self._rows, self.chosen, across, down)
            self.redraw()
            self._scroll_to_chosen()
        elif self.is_one and across:
            self.chosen = head_maps.moved(self._rows, self.chosen, across, 0)
            self.redraw()
        elif self.is_one:
            pieces = need(self.patterns).pieces
            self._query = max(0, min(self._query + down, len(pieces) - 1))
            self.redraw()
            self._bring_into_view(head_maps.rows_begin(pieces) + self._query, 1)
        elif self.tab == "runs" and across and self._runs:
            place = self._runs.index(self.run) if self.run in self._runs else -1
            self.run = self._runs[(place + across) % len(self._runs)]
            self._open("runs")
        else:
            self.reading.scroll_relative(y=down, animate=False)

    def action_zoom(self) -> None:
        if self._has_all:
            self._open("heads", one=True)

    def action_order(self) -> None:
        if self._has_all:
            self._sorted = not self._sorted
            self.redraw()
            self._scroll_to_chosen()

    def action_switch(self, what: str) -> None:
        if self.is_one:
            self.switched = replace(self.switched, **{what: not getattr(self.switched, what)})
            self.redraw()

    def action_values(self) -> None:
        if self.is_one:
            self._values = not self._values
            self._open("heads", one=True)

    def action_text(self) -> None:
        """Ask for the prompt, or for the sentence of heads and layers."""
        writes = self.tab == "write"

        async def taken(written: str) -> None:
            if written.strip() and writes:
                self._prompt = written
                self.action_say()
            elif written.strip():
                self.text = written
                self.redraw()

        if self._model is None or self.tab == "runs" or self.is_one:
            return
        if writes:
            ways = {"save": "continue", "leave": "cancel"}
            self.ask_line("What should it continue?", self._prompt, taken, **ways)
        else:
            self.ask_line("Which sentence?", self.text, taken, _NOTE_OF_TEXT, save="show")

    @queued
    async def action_say(self, *further: OwnParts) -> None:
        """Have the plain model write, and beside it what further parts make of what is put in.

        Beside a mistake, the right one has that put in, too.
        """
        need(not self.is_busy, "one moment: the model is at work")
        need(self._model)
        puts = self._puts
        in_both = puts if any(each.wrong for each in further) else NO_PUTS
        model = self._at_work(await self.study(wanted_parts, MINE, in_both), in_both)
        models = SideBySide(self._server, (model, *(self._made(each, puts) for each in further)))
        say = partial(compared, prompt=self._prompt, tokens=_TOKENS, scored=TEXT)
        turns = partial(models.take_turns, say, self.tell)
        self.sayings, then = (), partial(setattr, self, "sayings")
        self.begin("writing …", models.stop, lambda: model.started(lambda _: turns()), then)
        self._open("write")

    async def action_break_it(self) -> None:
        puts = self._puts

        async def chosen(mistake: ModelMistake) -> None:
            home = self.services.home
            self.action_say(await self.database.run(lent_parts, home, mistake.id, puts))

        if self._model is not None:
            note = _NOTE_OF_PUTS if puts else _NOTE
            await self.choose_mistake(OF_LLAMA, "Which mistake?", note, chosen, puts)

    def action_put_in(self) -> None:
        async def taken(written: str) -> None:
            puts = await self.database.run(read_puts, self.services.home, written.split())
            self._put, self._puts = written, puts
            if puts:
                self.action_say(await self.study(wanted_parts, MINE, puts))

        if self._model is not None:
            ways = {"save": "put in", "leave": "cancel"}
            self.ask_line("Which drills’ code?", self._put, taken, _PLACES, **ways)


class ModelAboveScreen(ModelScreen, global_keys=False, before_widgets=True):
    """The same above another screen, to come back to that: first its heads, or a run."""

    tab = "heads"


def _block(title: str, run: ModelRun, width: int) -> list[Text]:
    text = Text("\n").join(map(Text, model_runs.lines_of(run.asked, width=width, whole=True)))
    text.highlight_regex("█+", colours().accent)
    return [Text(title, "bold"), *wrap(text, width)]
