"""See attention: an example step by step, with mask, scale and temperature to switch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.text import Text
from textual.widgets import Static

from studyattn.packs.errata import installed_errata
from studyattn.packs.model import Erratum
from studyattn.tui.attention_view.example import (
    GALLERY,
    SLIDES,
    TEMPERATURES,
    AttentionExample,
    AttentionStep,
    AttentionView,
    Maps,
    NumberOrigin,
    Opening,
    Rows,
    Tables,
    Weighting,
    working,
)
from studyattn.tui.attention_view.own_example import read, written
from studyattn.tui.dialogs.editor import Field, Written
from studyattn.tui.formatting import READING_WIDTH, tabs
from studyattn.tui.screens.base import ReadingScreen
from studyattn.tui.theme import colours
from studyattn.tui.widgets.header_footer import ROOM, Offers
from studyattn.tui.widgets.heatmap import Panel, beside, fits, panel, peak_of
from studyattn.tui.widgets.rendered_text import face

_ERRATA = {
    AttentionStep.K: ("slides-keys",),
    AttentionStep.V: ("slides-keys",),
    AttentionStep.SCORES: ("slides-scores",),
    AttentionStep.SCALED: ("slides-root",),
    AttentionStep.WEIGHTS: ("slides-weights", "slides-apple"),
    AttentionStep.OUTPUT: ("slides-weights",),
}
"""What the printed source gets wrong, by the step in which it shows."""

_PATTERNS = frozenset({AttentionStep.SCORES, AttentionStep.SCALED, AttentionStep.WEIGHTS})
"""Steps with a token on both axes."""

_OF_KEYS = frozenset({AttentionStep.K, AttentionStep.V, AttentionStep.CONTEXT})
_WIDEST = 150
_TEXT_LINES = 16  # of the text to edit


class PatternScreen(ReadingScreen, global_keys=False):
    """One table at a time, how one of its numbers comes about, and the pattern beside it."""

    SCOPE = "Attention pattern"
    TABS = True

    def __init__(
        self, opening: Opening | None = None, others: Sequence[AttentionExample] = ()
    ) -> None:
        """`others` come right after the first example, before those that the view knows."""
        super().__init__()
        opening = opening or Opening(SLIDES, step=AttentionStep.X)
        first = (opening.example, *others)
        self._examples = (*first, *(each for each in GALLERY if each not in first))
        self.example = opening.example
        self.view = opening.view
        self.head = 0
        self.entry = NumberOrigin(opening.step)
        self._tables: tuple[Tables, ...] = ()  # of each head
        self._plain: Rows = ()  # the weights with nothing switched
        self._errata: dict[str, Erratum] = {}

    async def load(self) -> None:
        known = await self.database.run(installed_errata, self.services.home)
        self._errata = {each.id: each for each in known}
        await self._compute()

    async def _compute(self) -> None:
        """Compute the tables of all heads, and those with nothing switched."""
        example, view, head = self.example, self.view, self.head

        def compute() -> tuple[tuple[Tables, ...], Tables]:
            # Late: numpy is imported in this thread, and the screen keeps drawing.
            from studyattn.tui.attention_view.tables import tables

            shown = tuple(tables(example, each, view) for each in self._heads)
            return shown, tables(example, head, AttentionView())

        self._tables, plain = await self.database.run(compute)
        self._plain = plain[AttentionStep.WEIGHTS]
        self._choose(
            NumberOrigin(self.step if self.step in example.steps else AttentionStep.WEIGHTS)
        )

    def _choose(self, entry: NumberOrigin) -> None:
        self.entry = entry
        self.redraw()

    @property
    def step(self) -> AttentionStep:
        return self.entry.step

    @property
    def _heads(self) -> range:
        return range(len(self.example.heads))

    # How it is drawn.

    def draw(self) -> None:
        self.headline(self.example.title, self._switches())
        steps = {f"screen.step('{step.value}')": step.value for step in self.example.steps}
        self.query_one("#tabs", Static).update(tabs(steps, f"screen.step('{self.step.value}')"))
        if not self._tables:
            return
        width = min(self.width, _WIDEST)
        quiet = colours().quiet
        lines = [Text(self._formula(), style="italic")]
        shown = self._tables[self.head]
        if sum_of := working(self.example, self.head, self.view, shown, self.entry):
            lines += [Text.assemble(self._name_of_entry(), (f"  {sum_of}", quiet))]
        blocks = [panel(each) for each in self._panels()]
        pattern = [panel(each) for each in self._pattern()]
        printed = self._printed
        if not printed or fits([*blocks, *pattern], width):
            blocks, pattern = [*blocks, *pattern], []
        lines += [Text(), *beside(blocks, width)]
        for erratum in printed:
            claims = f"**Printed:** {erratum.says}\n\n**Computed:** {erratum.right}"
            lines += [Text(), face(claims, min(READING_WIDTH, width))]
        if pattern:
            lines += [Text(), *beside(pattern, width)]
        if self.size.width >= ROOM:
            lines += [Text(), *self._way(width)]
        if self.example.about:
            lines += [Text(), Text(self.example.about, style=quiet)]
        self.read(Text("\n").join(lines))

    @property
    def _printed(self) -> list[Erratum]:
        """List what the printed source gets wrong in the table that is shown."""
        names = _ERRATA.get(self.step, ()) if self.example.printed and self.view.is_plain else ()
        return [self._errata[name] for name in names if name in self._errata]

    def _switches(self) -> str:
        view, parts = self.view, []
        if len(self._heads) > 1:
            parts.append(f"head {self.head + 1} of {len(self._heads)}")
        parts.append(self.example.mask.name if view.masked else "no mask")
        if self.example.weighting is Weighting.SOFTMAX:
            parts.append("÷√d" if view.scaled else "not scaled")
            parts += [f"T = {view.temperature:g}"] if view.temperature != 1 else []
        return "  ".join(parts)

    def _formula(self) -> str:
        example, view = self.example, self.view
        linear = example.weighting is Weighting.LINEAR
        projected = isinstance(example.heads[self.head], Maps)
        source = "X" if example.context is None else "C"
        root = f" / √{example.width(self.head)}" if view.scaled else ""
        heat = f" / {view.temperature:g}" if view.temperature != 1 else ""
        hidden = f", −∞ by the {example.mask.name}" if view.masked else ""
        made = " = X W_Q", f" = {source} W_K", f" = {source} W_V"
        q, k, v = made if projected else ("", "", "")
        return {
            AttentionStep.X: "X: a vector for each token",
            AttentionStep.CONTEXT: "C: a vector for each token attended to",
            AttentionStep.Q: f"Q{q}: what each token looks for",
            AttentionStep.K: f"K{k}: what each token offers to queries",
            AttentionStep.V: f"V{v}: what each token passes on",
            AttentionStep.SCORES: "φ(Q) φ(K)ᵀ, φ = elu + 1: never negative"
            if linear
            else "S = Q Kᵀ: each query (row) with each key (column)",
            AttentionStep.SCALED: f"S{root}{heat}{hidden}: what enters the softmax",
            AttentionStep.WEIGHTS: "each score as a share of its row"
            if linear
            else "softmax of each row: the weights of a query sum to 1",
            AttentionStep.OUTPUT: "O = weights · V: each row a weighted mean of the values",
        }[self.step]

    def _name_of_entry(self) -> str:
        entry, keys = self.entry, self.example.keys
        column = keys[entry.column] if self.step in _PATTERNS else str(entry.column + 1)
        return f"{self._labels(self.step)[entry.row]}, {column}:"

    def _labels(self, step: AttentionStep) -> tuple[str, ...]:
        """Return the names of the rows of a step's table."""
        return self.example.keys if step in _OF_KEYS else self.example.queries

    def _panels(self) -> list[Panel]:
        """The step's table, and the map that makes it."""
        head = self.example.heads[self.head]
        shown = [self._panel(self.step, self._tables[self.head][self.step], chosen=True)]
        if isinstance(head, Maps) and (rows := head.of(self.step)) is not None:
            shown.append(Panel(f"W_{self.step.value}", rows, peak_of(rows), across=True))
        return shown

    def _pattern(self) -> list[Panel]:
        """The weights that the step leads to; beside them, those of before and of other heads."""
        weights = self._weights
        if self.step is not AttentionStep.WEIGHTS:
            return [self._panel(AttentionStep.WEIGHTS, weights[self.head])]
        linear = self.example.weighting is Weighting.LINEAR
        titles = {each: f"head {each + 1}" for each in self._heads if each != self.head}
        shown = [(weights[each], title) for each, title in titles.items()]
        if self._plain != weights[self.head]:
            shown.insert(0, (self._plain, "no mask" if linear else "no mask, ÷√d, T = 1"))
        return [self._panel(AttentionStep.WEIGHTS, *each) for each in shown]

    @property
    def _weights(self) -> list[Rows]:
        """The weights of each head."""
        return [found[AttentionStep.WEIGHTS] for found in self._tables]

    def _way(self, width: int) -> list[Text]:
        """All steps, from the vectors to the output; apart from that the weights of all heads."""
        quiet = colours().quiet
        tables = self._tables[self.head]
        steps = [
            self._panel(step, tables[step], f"▸ {step.value}" if step is self.step else "")
            for step in self.example.steps
        ]
        blocks = [panel(replace(each, across=False)) for each in steps]
        lines = [Text("All steps of this head", style=quiet), *beside(blocks, width)]
        if len(self._heads) > 1 and self.step is not AttentionStep.WEIGHTS:
            heads = [
                self._panel(AttentionStep.WEIGHTS, each, f"{'▸ ' * (at == self.head)}head {at + 1}")
                for at, each in enumerate(self._weights)
            ]
            blocks = [panel(replace(each, numbers=False, top=())) for each in heads]
            lines += [Text(), Text("The weights of all heads", style=quiet)]
            lines += beside(blocks, width)
        return lines

    def _panel(
        self, step: AttentionStep, values: Rows, title: str = "", *, chosen: bool = False
    ) -> Panel:
        several = len(self._heads) > 1 and step is not AttentionStep.X
        return Panel(
            title or step.value + (f", head {self.head + 1}" if several else ""),
            values,
            1.0 if step is AttentionStep.WEIGHTS else peak_of(values),
            labels=self._labels(step),
            top=self.example.keys if step in _PATTERNS else (),
            chosen=(self.entry.row, self.entry.column) if chosen else None,
            across=True,
        )

    def hints(self) -> Offers:
        head = len(self._heads) > 1 and "head"
        scaled = self.example.weighting is Weighting.SOFTMAX
        scale = (scaled and "scale", scaled and ("temperature", "temp"))
        others = "edit back example entry model"
        return (("next", "step", "← →"), head, "mask", *scale, others)

    # What the keys do.

    def action_step(self, name: str) -> None:
        self._choose(NumberOrigin(AttentionStep(name)))

    def action_move(self, by: int) -> None:
        steps = self.example.steps
        place = steps.index(self.step) + by
        self._choose(NumberOrigin(steps[max(0, min(place, len(steps) - 1))]))

    def action_entry(self) -> None:
        if self._tables:
            table = self._tables[self.head][self.step]
            columns = len(table[0])
            place = (self.entry.row * columns + self.entry.column + 1) % (len(table) * columns)
            self._choose(NumberOrigin(self.step, *divmod(place, columns)))

    async def action_turn(self, switch: str) -> None:
        """Turn the mask or the scale on or off."""
        self.view = replace(self.view, **{switch: not getattr(self.view, switch)})
        await self._compute()

    async def action_temperature(self) -> None:
        place = TEMPERATURES.index(self.view.temperature) + 1
        self.view = replace(self.view, temperature=TEMPERATURES[place % len(TEMPERATURES)])
        await self._compute()

    async def action_head(self) -> None:
        self.head = (self.head + 1) % len(self._heads)
        await self._compute()

    async def action_example(self) -> None:
        known = self._examples
        place = known.index(self.example) + 1 if self.example in known else 0
        self.example = known[place % len(known)]
        self.head = 0
        await self._compute()

    def action_edit(self) -> None:
        text = Field("text", "", written(self.example, self.head), _TEXT_LINES)
        told = "One row per line. The mask is “causal”, or rows of 1 and 0."
        self.write("Other numbers", text, then=self._take, explanation=told)

    async def _take(self, numbers: Written) -> None:
        self.example = read(self.example, self.head, numbers["text"])
        self.head = min(self.head, len(self._heads) - 1)
        await self._compute()
