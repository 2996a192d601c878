"""Trained models, drawn for a terminal: curves, what they wrote, and what came of a mistake.

Pure: from models to Rich texts of a width. The command prints them, the app shows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from rich.cells import set_cell_size
from rich.text import Text

from studyattn.study.practice.gpt import Sample, TrainedModel, summary
from studyattn.text.lines import wrap
from studyattn.text.plot import Curve, linear

SIGNS: Final = ("●", "○")
NEAR: Final = 0.05
"""Nats per character by which losses differ from one minute to the next."""

_GAP: Final = 3


@dataclass(frozen=True, slots=True)
class Styles:
    """Rich styles: of the models in their order, and of what is less important."""

    models: tuple[str, ...] = ("", "")
    quiet: str = ""


def head(model: TrainedModel) -> str:
    """Return one line of a model: what makes it up, and how far it is."""
    return f"{model.parameters:,} parameters · {summary(model.parts)} · {model.text}"


def title(model: TrainedModel) -> str:
    """Return the mistake of a model in words, or that it makes none."""
    return model.mistake or "right"


def curves(models: Sequence[TrainedModel], *, width: int, height: int, styles: Styles) -> Text:
    """Plot the validation losses over the steps, in `height` lines; empty if nothing fits."""
    drawn = [
        Curve([(step, loss) for step, loss in model.curve if loss is not None], sign, style)
        for model, sign, style in zip(models, SIGNS, styles.models, strict=False)
    ]
    drawn = [curve for curve in drawn if curve.points]
    return linear(
        drawn, width=width, height=height, label=lambda loss: f"{loss:.4g}", quiet=styles.quiet
    )


def legend(models: Sequence[TrainedModel], styles: Styles) -> Text:
    """Name the curves, with the loss of each."""
    parts = []
    for model, sign, style in zip(models, SIGNS, styles.models, strict=False):
        loss = number(model.validation_loss)
        parts.append(Text.assemble((f"{sign} {title(model)}", style), f"  {loss}"))
    return Text("     ").join(parts)


def samples(
    models: Sequence[TrainedModel], *, width: int, lines: int, styles: Styles, latest: bool = False
) -> Text:
    """Show what the models wrote, side by side, at most so many `lines` of each sample.

    With `latest`, the last sample of each alone.
    """
    each = (width - _GAP * (len(models) - 1)) // len(models)
    columns = [
        list(_written(model.samples[-1:] if latest else model.samples, each, lines, styles))
        for model in models
    ]
    rows = zip_longest(*columns, fillvalue=Text())
    return Text("\n").join(_beside(row, each) for row in rows)


def _written(samples: Sequence[Sample], width: int, lines: int, styles: Styles) -> Iterator[Text]:
    for sample in samples:
        yield Text(f"step {sample.step}", style=styles.quiet)
        text = Text(" ".join(sample.text.split()))
        wrapped = wrap(text, width)[:lines]
        yield from wrapped
        yield from (Text() for _ in range(lines - len(wrapped)))


def _beside(cells: Sequence[Text], width: int) -> Text:
    line = Text()
    for cell in cells[:-1]:
        line.append_text(cell)
        line.append(set_cell_size("", width + _GAP - cell.cell_len))
    return line.append_text(cells[-1])


def conclusion(models: Sequence[TrainedModel]) -> str:
    """Return what the figures say at the end, in a sentence or two; nothing before."""
    last = models[-1]
    if last.cache is None:
        return ""
    if len(models) > 1:
        return _comparison(models[0].validation_loss, last.validation_loss, same=last.cache.same)
    if last.cache.same:
        return "Cached = plain: fed a character at a time, it says what it says of the whole."
    return (
        "Cached and plain differ: fed a character at a time, it says something else than of the"
        " whole text."
    )


def _comparison(right: float | None, wrong: float | None, *, same: bool) -> str:
    """Compare the losses of the right and the mistaken model."""
    if right is None or wrong is None:
        return "A loss is no number any more: the weights grew beyond all bounds."
    both = f"Loss {wrong:.2f} beside {right:.2f}"
    if not same and wrong < right - NEAR:
        return (
            f"{both}, and worse text. Cached and plain differ: in training it read what comes"
            " later, and when it writes, nothing comes later."
        )
    if not same:
        return (
            f"{both}. Cached and plain differ: it writes with another attention than the one that"
            " it was trained with."
        )
    if wrong > right + NEAR:
        return f"{both} after the same time: it learns less in it."
    return f"{both}: in this time the mistake hardly shows."


def number(loss: float | None) -> str:
    """Write a loss."""
    return "no number" if loss is None else f"{loss:.3f}"
