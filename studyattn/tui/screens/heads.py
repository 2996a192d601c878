"""The heads of a real model on a sentence: all as small maps, one in detail, guesses by layer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum, auto
from functools import partial
from typing import Final

from rich.text import Text
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Static

from studyattn.lm.records import Guess, HeadTables, HeadWeights, Patterns, Switched
from studyattn.study.practice.model_parts import MINE, wanted_parts
from studyattn.study.practice.running import HEADS_TEXT
from studyattn.tui.screens.lab import LabScreen
from studyattn.tui.widgets import head_maps
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.heatmap import beside, fits

_RIGHT: Final = Switched()
_NEXT: Final = 8  # next tokens that are shown
_GUESSED: Final = 8  # guesses of each layer, where there is room for them
_NOTE: Final = "Up to 32 tokens, or about 20 words."


class HeadsPage(Enum):
    """The view of the screen."""

    ALL = auto()
    ONE = auto()
    LAYERS = auto()


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
        self._shown: tuple[tuple[int, int], Switched] | None = None  # what the tables are of
        self._maps: list[tuple[str, ...]] = []

    def body(self) -> Iterable[Widget]:
        yield Static(id="above", markup=False)
        yield from super().body()

    async def load(self) -> None:
        if self._asked is not None or self._lacking:
            return
        parts = partial(self.study, wanted_parts, MINE)
        if await self.find_model(parts):
            await self._measure()
        else:
            self.redraw()

    # Asking the model.

    async def _measure(self) -> None:
        """Ask for the patterns of all heads."""
        text = self._text
        found = await self.answer("measuring …", lambda model: model.patterns(text))
        if found is None:
            return
        self.patterns, self._maps = found, head_maps.small_maps(found)
        self.chosen = min(self.chosen, len(found.heads) - 1)
        self._query = len(found.pieces) - 1
        self.tables, self._shown, self._guesses = None, None, []
        self._show(HeadsPage.ALL)

    async def _look(self) -> None:
        """Ask for the tables of the chosen head, unless they are known."""
        place, switched, text = (self.head.layer, self.head.head), self.switched, self._text
        if self._shown == (place, switched):
            return
        found = await self.answer(
            "looking …", lambda model: model.head(text, place, switched, _NEXT)
        )
        if found is not None:
            self.tables, self._shown = found, (place, switched)
            self.redraw()

    async def _guess(self) -> None:
        """Ask for the guesses of all layers."""
        text = self._text
        found = await self.answer("guessing …", lambda model: model.guesses(text, _GUESSED, None))
        if found is not None:
            self._guesses = found
            self.redraw()

    @property
    def head(self) -> HeadWeights:
        """The chosen head."""
        assert self.patterns is not None  # noqa: S101 - nothing is chosen before there are heads
        return self.patterns.heads[self.chosen]

    # How it is drawn.

    def draw(self) -> None:
        self.headline(self._title(), self._doing or self._place())
        above = self.query_one("#above", Static)
        if self.patterns is None:
            above.update("")
            self.read(self.told(self._lacking or "A worker loads the model …"))
            return
        draw = {HeadsPage.ALL: self._all, HeadsPage.ONE: self._one, HeadsPage.LAYERS: self._layers}
        above.update(self._above(self.patterns))
        self.read(draw[self.page](self.patterns))

    def _title(self) -> str:
        names = {
            HeadsPage.ALL: "Heads of a real model",
            HeadsPage.LAYERS: "Predictions, layer by layer",
        }
        return names.get(self.page) or f"Head {head_maps.name_of(self.head)}"

    def _place(self) -> str:
        if self.patterns is None or self.page is HeadsPage.LAYERS:
            return ""
        if self.page is HeadsPage.ALL:
            return head_maps.name_of(self.head)
        return "   ".join(self._switches())

    def _switches(self) -> list[str]:
        """Name what is switched in the head, one after another."""
        told = ["causal mask" if self.switched.masked else "no mask"]
        told.append("÷√d" if self.switched.scaled else "not scaled")
        return told if self.switched.adds else [*told, "adds nothing"]

    def _above(self, found: Patterns) -> Text:
        """Say what the letters in the maps mean, what comes next, or the sentence."""
        if self.page is HeadsPage.ALL:
            line = head_maps.legend(found.heads, self.width)
        elif self.page is HeadsPage.ONE:
            shares = self.tables.shares if self.tables is not None else []
            is_switched = self._shown is not None and self._shown[1] != _RIGHT
            line = head_maps.next_line(shares, is_switched=is_switched)
        else:
            tokens = "|".join(head_maps.piece(each) for each in found.pieces)
            cut = f"   the first {len(found.pieces)} of {found.tokens} tokens"
            line = Text.assemble(tokens, (cut if found.tokens > len(found.pieces) else ""))
            line.stylize(self.quiet)
        line.truncate(self.width, overflow="ellipsis")
        return line

    def _all(self, found: Patterns) -> Text:
        return head_maps.grid(self._rows, self._maps, found.heads, self.chosen)

    @property
    def _rows(self) -> head_maps.Rows:
        heads = self.patterns.heads if self.patterns is not None else []
        arrange = head_maps.by_kind if self._sorted else head_maps.by_layer
        return arrange(heads, self.width)

    def _one(self, _found: Patterns) -> Text:
        tables = self.tables
        if tables is None:
            return Text()
        first = (
            head_maps.values_map(tables)
            if self._values
            else head_maps.weights_map(tables, self._query)
        )
        switched = self._shown[1] if self._shown is not None else _RIGHT
        what = "" if switched == _RIGHT else f"head {self.head.layer}.{self.head.head} switched"
        numbers = head_maps.query_table(tables, self._query)
        coming = head_maps.next_tokens(tables.shares, what)
        if fits([first, numbers, coming], self.width):
            blocks = [first, numbers, coming]
        else:
            blocks = [first, [*numbers, Text(), *coming]]
        return Text("\n").join(beside(blocks, self.width))

    def _layers(self, _found: Patterns) -> Text:
        lines = head_maps.guesses_by_layer(self._guesses, self.width)
        return Text("\n").join(lines)

    def _show(self, page: HeadsPage) -> None:
        self.page = page
        self.redraw()
        self.query_one("#reading").scroll_to(y=0, animate=False)
        if page is HeadsPage.ALL:
            self._scroll_to_chosen()

    def _scroll_to_chosen(self) -> None:
        """Bring the chosen map into view."""
        first = head_maps.line_of(self._rows, self.chosen)
        self._bring_into_view(Region(0, first, 1, head_maps.LINES))

    def _bring_into_view(self, lines: Region) -> None:
        self.query_one("#reading").scroll_to_region(lines, animate=False)

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
        """Choose another head, or in one head another token."""
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
            line = head_maps.rows_begin(found.pieces) + self._query
            self._bring_into_view(Region(0, line, 1, 1))
        else:
            self.query_one("#reading").scroll_relative(y=down, animate=False)

    def action_zoom(self) -> None:
        """Open the chosen head."""
        if self.patterns is not None and self.page is HeadsPage.ALL:
            self._show(HeadsPage.ONE)
            self.do(self._look)

    def action_order(self) -> None:
        """Sort the heads by kind, or by layer."""
        if self.patterns is not None and self.page is HeadsPage.ALL:
            self._sorted = not self._sorted
            self.redraw()
            self._scroll_to_chosen()

    def action_switch(self, what: str) -> None:
        """Switch the causal mask or the scale of the head, or what it adds, off or on."""
        if self.page is HeadsPage.ONE:
            self.switched = replace(self.switched, **{what: not getattr(self.switched, what)})
            self.do(self._look)

    def action_values(self) -> None:
        """Show the values in the place of the weights, or the weights again."""
        if self.page is HeadsPage.ONE:
            self._values = not self._values
            self._show(HeadsPage.ONE)

    def action_layers(self) -> None:
        """Show what the model would say after each layer."""
        if self.patterns is not None and self.page is not HeadsPage.LAYERS:
            self._show(HeadsPage.LAYERS)
            if not self._guesses:
                self.do(self._guess)

    def action_text(self) -> None:
        """Write another sentence."""
        if self.patterns is None or self.page is not HeadsPage.ALL:
            return

        async def taken(written: str) -> None:
            if written.strip():
                self._text = written
                await self._measure()

        self.ask_line("Which sentence?", self._text, taken, _NOTE, save="show")

    def action_back(self) -> None:
        """Go back to all heads, or leave."""
        if self.page is HeadsPage.ALL:
            super().action_back()
        else:
            self.switched = _RIGHT
            self._show(HeadsPage.ALL)
