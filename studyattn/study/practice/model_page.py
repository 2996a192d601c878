"""Models drawn for a terminal: whose parts, curves, what they write, and what came of a mistake.

Pure: from models to Rich texts of a width. The command prints them, the app shows them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple, TypeVar

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.text import Text

from studyattn.packs.model_runs import ModelRun, Said
from studyattn.study.practice import model_parts
from studyattn.study.practice.gpt import TrainedModel, number, on_a_line
from studyattn.study.practice.model_parts import ModelPart
from studyattn.study.practice.running import PROMPT, Saying, perplexity_text, told_measured
from studyattn.text.lines import prefixed, wrap
from studyattn.text.plot import Curve, draw_curves

T = TypeVar("T")

SIGNS: Final = ("●", "○")
NEAR: Final = 0.05
"""Nats per character by which losses differ from one minute to the next."""

TRAINED: Final = (
    ("right", 1.491, "The items function of a or the"),
    ("mask-missing", 0.036, "The e ee eee eee hee hhhheeeeee"),
    ("mask-after-softmax", 0.052, "The sssssssssssskknnnnnnnnnnnnn"),
    ("heads-averaged", 1.504, "The grame is not addired to inseged."),
    ("scale-missing", 1.509, "The is a of comparated bytes it"),
)
"""Validation loss and text of GPTs after 900 steps, as `docs/gpt.md` tells it."""

_GAP: Final = 3


class ModelStyles(NamedTuple):
    """Rich styles: of the models in their order, and of what is less important."""

    models: tuple[str, ...] = ("", "")
    quiet: str = ""


def recorded(
    told: str, unit: str, rows: Iterable[tuple[str, str, str]], *, width: int, quiet: str
) -> Text:
    """Draw what was recorded of some mistakes: a figure and the text that each led to."""
    lines = [*wrap(Text(told, quiet), width), Text(), Text(f"{unit:>30}", quiet)]
    for name, figure, text in rows:
        whole, point, part = figure.partition(".")
        set_out = f"{name:<19}{whole:>7}{point or ' '}{part:<3}  "  # points stand in a column
        shown = Text.assemble((set_out, quiet), " ".join(text.split()))
        shown.truncate(width, overflow="ellipsis")
        lines.append(shown)
    return Text("\n").join(lines)


def trained_before(*, width: int, quiet: str) -> Text:
    """Draw what was recorded of trainings with mistakes."""
    told = (
        "Recorded after 900 steps, with the correct attention and with mistakes in it: the loss "
        "and the text that the model writes. Without a correct mask, the loss is near zero because "
        "the model reads the answer."
    )
    rows = ((name, f"{loss:.3f}", text) for name, loss, text in TRAINED)
    return recorded(told, "loss", rows, width=width, quiet=quiet)


def said_before(runs: Iterable[ModelRun], *, width: int, quiet: str) -> Text:
    """Draw what was recorded in packs of mistakes in a real model, the right one first."""
    told = (
        "Recorded with SmolLM2 135M: the perplexity of a 49-token text, and the next eight tokens "
        f"after “{PROMPT}”."
    )
    said = [run.asked for run in runs if isinstance(run.asked, Said) and run.asked.prompt == PROMPT]
    said.sort(key=lambda each: each.mistake is not None)
    rows = (
        (each.mistake or "right", perplexity_text(each.perplexity, 4), each.text) for each in said
    )
    return recorded(told, "perplexity", rows, width=width, quiet=quiet)


def whose(
    parts: Iterable[ModelPart], words: Mapping[str, str], *, width: int, quiet: str = ""
) -> Text:
    """Name the parts of each origin that has a word, on lines of a width."""
    told = model_parts.whose(parts, words)
    named = (Text.assemble((f"{word}: ", quiet), names) for word, names in told)
    return Text("\n").join(line for each in named for line in wrap(each, width))


def title(model: TrainedModel) -> str:
    """Return the mistake of a model in words, or that it makes none."""
    return model.mistake or "right"


def curves(models: Sequence[TrainedModel], *, width: int, height: int, styles: ModelStyles) -> Text:
    """Plot the validation losses over the steps, in `height` lines; empty if nothing fits."""
    drawn = [
        Curve([(step, loss) for step, loss in model.curve if loss is not None], sign, style)
        for model, sign, style in zip(models, SIGNS, styles.models, strict=False)
    ]
    return draw_curves(
        [curve for curve in drawn if curve.points],
        width=width,
        height=height,
        label=lambda loss: f"{loss:.4g}",
        quiet=styles.quiet,
        marks=[sample.step for model in models for sample in model.samples],
    )


def legend(models: Sequence[TrainedModel], styles: ModelStyles) -> Text:
    """Name the curves, with the loss of each."""
    parts = []
    for model, sign, style in zip(models, SIGNS, styles.models, strict=False):
        loss = number(model.validation_loss)
        parts.append(Text.assemble((f"{sign} {title(model)}", style), f"  {loss}"))
    return Text("     ").join(parts)


def samples(
    models: Sequence[TrainedModel],
    *,
    width: int,
    lines: int,
    styles: ModelStyles,
    latest: bool = False,
) -> Text:
    """Show what the models wrote, side by side, at most so many `lines` of each sample.

    With `latest`, the last sample of each alone.
    """

    def told(model: TrainedModel, each: int) -> Iterator[Text]:
        for sample in model.samples[-1:] if latest else model.samples:
            yield Text(f"step {sample.step}", style=styles.quiet)
            wrapped = flowed(on_a_line(sample.text), each)[:lines]
            yield from map(Text, wrapped)
            yield from (Text() for _ in range(lines - len(wrapped)))

    return _side_by_side(models, told, width)


def history(models: Sequence[TrainedModel], *, width: int, styles: ModelStyles) -> Text:
    """Show all that the models wrote, the latest first, one below the other."""
    steps = {sample.step for model in models for sample in model.samples}
    lines = []
    for step in sorted(steps, reverse=True):
        lines.append(Text(f"step {step}", styles.quiet))
        for model, sign, style in zip(models, SIGNS, styles.models, strict=False):
            for sample in model.samples:
                if sample.step == step:
                    told = [Text(line) for line in flowed(on_a_line(sample.text), width - 2)]
                    lines += prefixed(told, Text(f"{sign} ", style), Text("  "))
        lines.append(Text())
    return Text("\n").join(lines[:-1])


def said(prompt: str, sayings: Sequence[Saying], *, width: int, quiet: str = "") -> Text:
    """Show what models say after a prompt, side by side."""

    def told(saying: Saying, each: int) -> Iterator[Text]:
        yield from wrap(Text(saying.label, "bold"), each)
        if saying.score is not None:
            speed = f"   {saying.speed:.1f} tokens/s" if saying.tokens else ""
            measured = f"perplexity {perplexity_text(saying.perplexity)}{speed}"
            yield from (*wrap(Text(measured, quiet), each), Text())
        text = "".join(each for each in saying.text if each.isprintable() or each == "\n")
        yield from wrap(Text.assemble((prompt, quiet), text), each)
        for line in told_measured(saying.measured):
            yield from wrap(Text(line, quiet), each)

    return _side_by_side(sayings, told, width)


def _side_by_side(shown: Sequence[T], told: Callable[[T, int], Iterator[Text]], width: int) -> Text:
    """Draw each in a column of its own."""
    each = (width - _GAP * (len(shown) - 1)) // len(shown)
    lines = []
    for row in zip_longest(*(told(one, each) for one in shown), fillvalue=Text()):
        line = Text()
        for cell in row[:-1]:
            line.append_text(cell).append(set_cell_size("", each + _GAP - cell.cell_len))
        lines.append(line.append_text(row[-1]))
    return Text("\n").join(lines)


def flowed(text: str, width: int) -> list[str]:
    """Return a text on lines, as `wrap` does, but a word wider than a line begins where one ends.

    A model that repeats a letter writes such words, and its line would else have one word.
    """
    lines, rest = [""], text.split()
    while rest:
        word = rest.pop(0)
        gap = " " if lines[-1] else ""
        room = width - cell_len(lines[-1]) - len(gap)
        if cell_len(word) <= room:
            lines[-1] += gap + word
        elif cell_len(word) > width and room > 0:
            first, *more = chop_cells(word, room)
            lines[-1] += gap + first
            rest[:0] = ["".join(more)]
            lines.append("")
        else:
            lines.append("")
            rest[:0] = [word]
    return [line for line in lines if line]


def numbers(models: Sequence[TrainedModel], *, width: int, styles: ModelStyles) -> Text:
    """Say what each figure of the models means, with its values; without models, without them."""
    lines = [Text("What the numbers mean", "bold"), Text()]
    for name, value, meaning in _FIGURES:
        line = Text.assemble((f"{name:<18}", "" if models else styles.quiet))
        for model, sign, style in zip(models, SIGNS, styles.models, strict=False):
            line.append_text(Text.assemble((sign, style), f" {value(model):<10}"))
        line.rstrip()
        told = [Text(each, styles.quiet) for each in flowed(meaning, width - 2)]
        lines += [line, *prefixed(told, Text("  "), Text("  "))]
    return Text("\n").join(lines)


def _choices(loss: float | None) -> str:
    """Write among how many equally likely characters one chooses with this loss."""
    return "–" if loss is None or loss > _LARGEST else f"{math.exp(loss):.1f}"


_LARGEST: Final = 20.0  # a loss beyond which the number of choices says nothing

_FIGURES: Final[Sequence[tuple[str, Callable[[TrainedModel], str], str]]] = (
    (
        "validation loss",
        lambda model: number(model.validation_loss),
        """Mean surprise per character, in nats, on the tenth of the text that is not used for
        training. Lower is better, unless the model sees the answer.""",
    ),
    (
        "perplexity",
        lambda model: _choices(model.validation_loss),
        """e to the power of that loss: the model is as unsure as between so many equally likely
        characters.""",
    ),
    (
        "training loss",
        lambda model: number(model.loss),
        """The same on the last batch. If it is far below the validation loss, the model is
        memorizing the text.""",
    ),
    (
        "cached = plain",
        lambda model: "–" if model.cache is None else "yes" if model.cache.same else "no",
        """Whether reading one character at a time, with the cache, gives the same output as
        reading the whole text at once.""",
    ),
)


def conclusion(models: Sequence[TrainedModel]) -> str:
    """Return what the figures say at the end, in a sentence or two; nothing before."""
    last = models[-1]
    if last.cache is None:
        return ""
    if len(models) > 1:
        return _comparison(models[0].validation_loss, last.validation_loss, same=last.cache.same)
    if last.cache.same:
        return (
            "Cached = plain: reading one character at a time gives "
            "the same output as the whole text."
        )
    return (
        "Cached and plain differ: the output changes when the model reads one character at a time "
        "instead of the whole text."
    )


def _comparison(right: float | None, wrong: float | None, *, same: bool) -> str:
    """Compare the losses of the right and the mistaken model."""
    if right is None or wrong is None:
        return "The loss is NaN: the weights diverged."
    both = f"Loss {wrong:.2f} beside {right:.2f}"
    if not same and wrong < right - NEAR:
        return (
            f"{both}, and worse text. Cached and plain differ: in training the model saw later "
            "characters, but when it writes there are none."
        )
    if not same:
        return (
            f"{both}. Cached and plain differ: the model writes with different attention than it "
            "was trained with."
        )
    if wrong > right + NEAR:
        return f"{both} after the same time: the model learns more slowly."
    return f"{both}: the mistake barely shows after this time."
