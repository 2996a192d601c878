"""See attention: a small example step by step, with mask, scale and temperature to switch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rich.text import Text
from textual.containers import VerticalScroll
from textual.content import Content
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from studyattn.tui.actions import Place
from studyattn.tui.pattern import EXAMPLES, TEMPERATURES, Example, Step, View, read, tables, written
from studyattn.tui.screens.base import READING_WIDTH, StudyScreen
from studyattn.tui.screens.editor import EditorScreen, Field, Written
from studyattn.tui.widgets.face import face
from studyattn.tui.widgets.heatmap import Panel, beside, panel, peak_of
from studyattn.tui.widgets.lines import Hint, hint

if TYPE_CHECKING:
    from studyattn.home import Home
    from studyattn.packs.model import Erratum
    from studyattn.tui.pattern import Rows

_ERRATA = {
    Step.K: ("slides-keys",),
    Step.V: ("slides-keys",),
    Step.SCORES: ("slides-scores",),
    Step.SCALED: ("slides-root",),
    Step.WEIGHTS: ("slides-weights", "slides-apple"),
    Step.OUTPUT: ("slides-weights",),
}
"""What the printed source gets wrong, by the step in which it shows."""

_PATTERNS = frozenset({Step.SCORES, Step.SCALED, Step.WEIGHTS})
"""Steps with a token on both axes."""


class PatternScreen(StudyScreen, goes=False):
    """One table at a time, with the pattern of weights beside it."""

    PLACE = Place.PATTERN
    CSS_PATH = "pattern.tcss"

    def __init__(self, *, causal: bool = False) -> None:
        super().__init__()
        self.example: Example = EXAMPLES[0]
        self.view = View(masked=causal)
        self.head = 0
        self.step = Step.WEIGHTS if causal else Step.X
        self._tables: dict[Step, Rows] | None = None
        self._errata: dict[str, Erratum] = {}

    def body(self) -> Iterable[Widget]:
        yield Static(id="steps")
        with VerticalScroll(id="reading"):
            yield Static(id="table", markup=False)

    async def load(self) -> None:
        self._errata = await self.study.desk.do(partial(_errata, self.study.home))
        self.query_one("#reading").focus()
        await self._compute()

    async def _compute(self) -> None:
        """Numpy is loaded at the desk the first time, so that the screen keeps drawing."""
        self._tables = await self.study.desk.do(partial(tables, self.example, self.head, self.view))
        self.draw()
        self.show_hints()

    # How it is drawn.

    def draw(self) -> None:
        self.headline(self.example.title, self._switches())
        self.query_one("#steps", Static).update(self._steps())
        if self._tables is None:
            return
        width = max(20, min(self.size.width - 6, 140))
        lines = [Text(self._formula(), style="italic"), Text(), *self._panels(width)]
        text = Text("\n").join(lines)
        if self.example.printed and self.view.is_plain:
            for name in _ERRATA.get(self.step, ()):
                if name in self._errata:
                    text.append("\n\n")
                    text.append_text(self._printed(self._errata[name], min(READING_WIDTH, width)))
        self.query_one("#table", Static).update(text)

    def _switches(self) -> str:
        view = self.view
        heads = len(self.example.heads)
        parts = [f"head {self.head + 1} of {heads}"] if heads > 1 else []
        parts.append("causal mask" if view.masked else "no mask")
        parts.append("÷√d" if view.scaled else "not scaled")
        parts.append(f"T = {view.temperature:g}")
        return "   ".join(parts)

    def _steps(self) -> Content:
        parts = []
        for step in Step:
            style = "$accent bold underline" if step is self.step else "$quiet"
            name = Content.styled(step.value, style)
            parts.append(name.stylize(Style.from_meta({"@click": f"screen.step('{step.value}')"})))
        return Content("   ").join(parts)

    def _formula(self) -> str:
        width = len(self.example.heads[self.head].w_q[0])
        view = self.view
        root = f" / √{width}" if view.scaled else ""
        heat = f" / {view.temperature:g}" if view.temperature != 1 else ""
        mask = ", −∞ where a key comes later" if view.masked else ""
        return {
            Step.X: "X: a vector for each token",
            Step.Q: "Q = X W_Q: what each token looks for",
            Step.K: "K = X W_K: what each token is found by",
            Step.V: "V = X W_V: what each token hands over",
            Step.SCORES: "S = Q Kᵀ: each query (row) with each key (column)",
            Step.SCALED: f"S{root}{heat}{mask}",
            Step.WEIGHTS: "softmax of each row: the weights of a query sum to 1",
            Step.OUTPUT: "O = weights · V: each row a weighted mean of the values",
        }[self.step]

    def _panels(self, width: int) -> list[Text]:
        """The step's table, the map that makes it, and the pattern."""
        if self._tables is None:
            return []
        look = self.study.look
        shown = [self._panel(self.step, self._tables[self.step])]
        head = self.example.heads[self.head]
        maps = {Step.Q: head.w_q, Step.K: head.w_k, Step.V: head.w_v}
        if self.step in maps:
            rows = maps[self.step]
            shown.append(Panel(f"W_{self.step.value}", rows, peak_of(rows)))
        if self.step is not Step.WEIGHTS:
            shown.append(self._panel(Step.WEIGHTS, self._tables[Step.WEIGHTS]))
        return beside([panel(each, look) for each in shown], width)

    def _panel(self, step: Step, values: Rows) -> Panel:
        tokens = self.example.tokens
        top: Sequence[str] = tokens if step in _PATTERNS else ()
        peak = 1.0 if step is Step.WEIGHTS else peak_of(values)
        return Panel(step.value, values, peak, labels=tokens, top=top)

    def _printed(self, erratum: Erratum, width: int) -> Text:
        """What the printed source says at this step, and what is right."""
        text = f"**Printed:** {erratum.says}\n\n**Computed:** {erratum.right}"
        return face(text, width, self.study.look)

    def hints(self) -> Iterable[Hint]:
        yield hint("pattern.next", "step", key="← →")
        for name in ("mask", "scale", "temperature", "head", "edit", "example"):
            if name != "head" or len(self.example.heads) > 1:
                yield hint(f"pattern.{name}")
        yield hint("back")

    # What the keys do.

    def action_step(self, name: str) -> None:
        """Show a step."""
        self.step = Step(name)
        self.draw()

    def action_move(self, by: int) -> None:
        """One step on, or back."""
        steps = list(Step)
        place = steps.index(self.step) + by
        self.step = steps[max(0, min(place, len(steps) - 1))]
        self.draw()

    def action_mask(self) -> None:
        """Forbid later keys, or allow them again."""
        self._look(replace(self.view, masked=not self.view.masked))

    def action_scale(self) -> None:
        """Divide by the root of the width, or not."""
        self._look(replace(self.view, scaled=not self.view.scaled))

    def action_temperature(self) -> None:
        """The next temperature."""
        place = TEMPERATURES.index(self.view.temperature) + 1
        self._look(replace(self.view, temperature=TEMPERATURES[place % len(TEMPERATURES)]))

    def _look(self, view: View) -> None:
        self.view = view
        self.do(self._compute)

    def action_head(self) -> None:
        """The next head."""
        self.head = (self.head + 1) % len(self.example.heads)
        self.do(self._compute)

    def action_example(self) -> None:
        """The next example; one's own numbers are left."""
        place = EXAMPLES.index(self.example) + 1 if self.example in EXAMPLES else 0
        self.example = EXAMPLES[place % len(EXAMPLES)]
        self.head = 0
        self.do(self._compute)

    def action_edit(self) -> None:
        """Write other numbers."""
        texts = written(self.example, self.head)
        labels = {"tokens": "Tokens", "x": "X, a row a token", "w_q": "W_Q", "w_k": "W_K"}
        labels["w_v"] = "W_V"
        fields = (
            Field(name, labels[name], text, 1 if name == "tokens" else 4)
            for name, text in texts.items()
        )

        def saved(found: Written | None) -> None:
            if found is not None:
                self.do(partial(self._take, found))

        self.app.push_screen(EditorScreen("Other numbers", *fields), saved)

    async def _take(self, texts: Written) -> None:
        self.example = read(self.example, self.head, texts)
        self.head = min(self.head, len(self.example.heads) - 1)
        await self._compute()


def _errata(home: Home) -> dict[str, Erratum]:
    from studyattn.packs.errata import installed_errata

    return {erratum.id: erratum for erratum in installed_errata(home)}
