"""The heads of a real model on a sentence: all as small maps, one in detail, guesses by layer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Final

from rich.text import Text
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Static

from studyattn.lm import questions
from studyattn.lm.records import Guess, HeadTables, HeadWeights, Patterns, Switched
from studyattn.study.practice.model_parts import MINE, wanted_parts
from studyattn.study.practice.running import HEADS_TEXT
from studyattn.tui.screens.lab import LabScreen
from studyattn.tui.widgets import head_maps
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.heatmap import beside, fits

Drawn = tuple[str, str, Text, Text]
"""The title of a page and what stands beside it, above what scrolls, and there."""

_RIGHT: Final = Switched()
_NEXT: Final = 8  # next tokens that are shown
_GUESSED: Final = 8  # guesses of each layer, where there is room for them
_NOTE: Final = "Up to 32 tokens, or about 20 words."


class HeadsPage(Enum):
    """The view of the screen."""

    ALL, ONE, LAYERS = range(3)


class HeadsScreen(LabScreen, global_keys=False, before_widgets=True):
    """All heads, one head, or the guesses of all layers."""

    SCOPE = "The heads of a real model"
    WIDEST = 200

    def __init__(self, text: str = HEADS_TEXT) -> None:
        super().__init__()
        self.page = HeadsPage.ALL
        self.patterns: Patterns | None = None
        self.tables: HeadTables | None = None
        self.switched = _RIGHT
        self.chosen = 0  # the head, as a place in the list of all
        self._text = text
        self._guesses: list[list[Guess]] = []
        self._sorted = False  # by kind
        self._query = 0  # the token whose row of weights is written out
        self._values = False  # True where they are shown in the weights' place
        self._shown: tuple[str, Switched] | None = None  # what the tables are of
        self._maps: list[tuple[str, ...]] = []

    def body(self) -> Iterable[Widget]:
        yield Static(id="above", markup=False)
        yield from super().body()

    async def load(self) -> None:
        if self._asked is not None or self._lacking:
            return
        if await self.find_model(partial(self.study, wanted_parts, MINE)):
            await self._measure()
        else:
            self.redraw()

    # Asking the model.

    async def _measure(self) -> None:
        found = await self.answer(
            "measuring …", lambda model: model.ask(questions.PATTERNS, text=self._text)
        )
        if found is None:
            return
        self.patterns, self._maps = found, head_maps.small_maps(found)
        self.chosen = min(self.chosen, len(found.heads) - 1)
        self._query = len(found.pieces) - 1
        self.tables, self._shown, self._guesses = None, None, []
        self._show(HeadsPage.ALL)

    async def _look(self) -> None:
        """Ask for the tables of the chosen head, unless they are known."""
        place, switched = f"{self.head.layer}.{self.head.head}", self.switched
        if self._shown == (place, switched):
            return
        how = {"text": self._text, "head": place, "switched": switched, "count": _NEXT}
        found = await self.answer("looking …", lambda model: model.ask(questions.HEAD, **how))
        if found is not None:
            self.tables, self._shown = found, (place, switched)
            self.redraw()

    async def _guess(self) -> None:
        how = {"text": self._text, "count": _GUESSED, "off": None}
        found = await self.answer("guessing …", lambda model: model.ask(questions.GUESSES, **how))
        if found is not None:
            self._guesses = found
            self.redraw()

    @property
    def head(self) -> HeadWeights:
        assert self.patterns is not None  # noqa: S101 - nothing is chosen before there are heads
        return self.patterns.heads[self.chosen]

    # How it is drawn.

    def draw(self) -> None:
        title, place, above, below = "Heads of a real model", "", Text(), Text()
        if self.patterns is None:
            below = self.told(self._lacking or "A worker loads the model …")
        else:
            pages = (self._draw_all, self._draw_one, self._draw_layers)
            title, place, above, below = pages[self.page.value](self.patterns)
            above.truncate(self.width, overflow="ellipsis")
        self.headline(title, self._doing or place)
        self.query_one("#above", Static).update(above)
        self.read(below)

    def _draw_all(self, found: Patterns) -> Drawn:
        """Draw all heads, below what the letters in the maps mean."""
        legend = head_maps.legend(found.heads, self.width)
        grid = head_maps.grid(self._rows, self._maps, found.heads, self.chosen)
        return "Heads of a real model", head_maps.name_of(self.head), legend, grid

    def _draw_one(self, _found: Patterns) -> Drawn:
        """Draw one head with what is switched in it, below what comes next."""
        mask = "causal mask" if self.switched.masked else "no mask"
        scale = "÷√d" if self.switched.scaled else "not scaled"
        place = f"{mask}   {scale}" + ("" if self.switched.adds else "   adds nothing")
        title, tables = f"Head {head_maps.name_of(self.head)}", self.tables
        if tables is None:
            return title, place, head_maps.next_line([], is_switched=False), Text()
        is_switched = self._shown is not None and self._shown[1] != _RIGHT
        first = head_maps.weights_map(tables, self._query)
        first = head_maps.values_map(tables) if self._values else first
        what = f"head {self.head.layer}.{self.head.head} switched" if is_switched else ""
        numbers = head_maps.query_table(tables, self._query)
        coming = head_maps.next_tokens(tables.shares, what)
        blocks = [first, numbers, coming]
        if not fits(blocks, self.width):
            blocks = [first, [*numbers, Text(), *coming]]
        above = head_maps.next_line(tables.shares, is_switched=is_switched)
        return title, place, above, Text("\n").join(beside(blocks, self.width))

    def _draw_layers(self, found: Patterns) -> Drawn:
        """Draw the guesses of all layers below the sentence."""
        tokens = "|".join(head_maps.piece(each) for each in found.pieces)
        cut = f"   the first {len(found.pieces)} of {found.tokens} tokens"
        line = Text(tokens + (cut if found.tokens > len(found.pieces) else ""), self.quiet)
        below = Text("\n").join(head_maps.guesses_by_layer(self._guesses, self.width))
        return "Predictions, layer by layer", "", line, below

    @property
    def _rows(self) -> head_maps.Rows:
        heads = self.patterns.heads if self.patterns is not None else []
        arrange = head_maps.by_kind if self._sorted else head_maps.by_layer
        return arrange(heads, self.width)

    def _show(self, page: HeadsPage) -> None:
        self.page = page
        self.redraw()
        self.reading.scroll_to(y=0, animate=False)
        if page is HeadsPage.ALL:
            self._scroll_to_chosen()

    def _scroll_to_chosen(self) -> None:
        self._bring_into_view(head_maps.line_of(self._rows, self.chosen), head_maps.LINES)

    def _bring_into_view(self, first: int, lines: int) -> None:
        region = Region(0, first, 1, lines)
        self.reading.scroll_to_region(region, animate=False)

    def hints(self) -> Offers:
        if self.page is HeadsPage.ONE:
            return (
                ("right", "head", "← →"),
                "mask scale",
                ("ablate", "" if self.switched.adds else "switch it on"),
                ("values", "weights" if self._values else ""),
                ("down", "token", "↑ ↓"),
                "layers back",
            )
        is_all = self.patterns is not None and self.page is HeadsPage.ALL
        order = ("order", "by layer" if self._sorted else "by kind")
        return (*((("zoom",), order, "text layers") if is_all else ()), "back")

    # What the keys do.

    def action_move(self, across: int, down: int) -> None:
        found = self.patterns
        if found is None:
            return
        if self.page is HeadsPage.ALL:
            self.chosen = head_maps.moved(self._rows, self.chosen, across, down)
            self.redraw()
            self._scroll_to_chosen()
        elif self.page is HeadsPage.ONE and across:
            self.chosen = head_maps.moved(self._rows, self.chosen, across, 0)
            self.do(self._look)
        elif self.page is HeadsPage.ONE:
            self._query = max(0, min(self._query + down, len(found.pieces) - 1))
            self.redraw()
            self._bring_into_view(head_maps.rows_begin(found.pieces) + self._query, 1)
        else:
            self.reading.scroll_relative(y=down, animate=False)

    def action_zoom(self) -> None:
        if self.patterns is not None and self.page is HeadsPage.ALL:
            self._show(HeadsPage.ONE)
            self.do(self._look)

    def action_order(self) -> None:
        if self.patterns is not None and self.page is HeadsPage.ALL:
            self._sorted = not self._sorted
            self.redraw()
            self._scroll_to_chosen()

    def action_switch(self, what: str) -> None:
        if self.page is HeadsPage.ONE:
            self.switched = replace(self.switched, **{what: not getattr(self.switched, what)})
            self.do(self._look)

    def action_values(self) -> None:
        if self.page is HeadsPage.ONE:
            self._values = not self._values
            self._show(HeadsPage.ONE)

    def action_layers(self) -> None:
        if self.patterns is not None and self.page is not HeadsPage.LAYERS:
            self._show(HeadsPage.LAYERS)
            if not self._guesses:
                self.do(self._guess)

    def action_text(self) -> None:
        if self.patterns is None or self.page is not HeadsPage.ALL:
            return

        async def taken(written: str) -> None:
            if written.strip():
                self._text = written
                await self._measure()

        self.ask_line("Which sentence?", self._text, taken, _NOTE, save="show")

    def action_back(self) -> None:
        if self.page is HeadsPage.ALL:
            super().action_back()
        else:
            self.switched = _RIGHT
            self._show(HeadsPage.ALL)
