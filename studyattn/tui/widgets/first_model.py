"""The first model on Today and after a drill: what it writes, its loss, and what it wrote before.

It works in a worker of its own (`study.practice.first_model`), asked in a thread that ends with the
screen; until then, what it wrote last stays.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from textual.content import Content

from studyattn.errors import StudyattnError
from studyattn.lm.records import WrittenText
from studyattn.study.practice import first_model
from studyattn.study.practice.first_model import (
    CHANGES,
    PARTS,
    FirstModelRun,
    FirstModelText,
)
from studyattn.tui.formatting import beside, count, pad, paragraph

if TYPE_CHECKING:
    from studyattn.tui.screens.base import StudyScreen

_BETWEEN: Final = 4
_LINES: Final = 2  # lines of its text on Today


class FirstModelWriter:
    """Has the model write for a screen, one time after another."""

    def __init__(self) -> None:
        self._run: FirstModelRun | None = None

    async def write(self, screen: StudyScreen, told: Callable[[FirstModelText], None]) -> None:
        """Tell what it wrote last and then, if other code has passed since, what it writes now."""
        kept, run = await screen.study(first_model.look)
        if kept is not None:
            told(kept)
        if run is None or self._run is not None:
            return
        self._run = run
        try:
            made = await asyncio.to_thread(run.write, kept)
            if made is not None:
                told(made)
        except StudyattnError:
            return  # nothing hangs on it, and `studyattn gpt first` tells why
        finally:
            self._run = None

    async def stop(self) -> None:
        if self._run is not None:
            await asyncio.to_thread(self._run.stop)


def draw_today(model: FirstModelText, width: int, label: int) -> list[Content]:
    """Return a few lines of what it writes, beside a label of so many columns."""
    now = model.now
    figures = f"loss {loss_text(now)}"
    if model.before is not None and loss_text(model.before) != loss_text(now):
        figures += f", before {loss_text(model.before)}"
    whose = f"{len(now.parts)} of {count(PARTS, 'part')}"
    head = Content.assemble(
        pad(Content.styled("Your model", "$quiet"), label), figures, (f" · {whose}", "$quiet")
    )
    text = paragraph(_text(now), width - label)
    shown = text[:_LINES]
    if len(text) > _LINES:
        shown[-1] = Content.assemble(shown[-1], " …")
    lines = [head, *(Content.assemble(" " * label, line) for line in shown)]
    if model.next is not None:
        coming = Content.styled(f"next {model.next}: {CHANGES[model.next]}", "$quiet")
        lines += [Content.assemble(" " * label, each) for each in paragraph(coming, width - label)]
    if model.fault:
        lines += [line.stylize("$wrong") for line in paragraph(Content(model.fault), width)]
    return [line.truncate(width, ellipsis=True) for line in lines]


def draw_beside(model: FirstModelText, width: int, after: str = "") -> list[Content]:
    """Return what it wrote before beside what it writes now, and what made the difference.

    After a drill that made none, as it was written before, what it writes now is enough.
    """
    is_new = not after or after in model.added
    half = (width - _BETWEEN) // 2
    lines = [*paragraph(Content(model.fault), width), Content()] if model.fault else []
    for drill in model.added if is_new else ():
        lines += paragraph(Content.assemble((drill, "bold"), f": {CHANGES[drill]}."), width)
    sides = [
        [
            Content.styled(f"{name} · loss {loss_text(each)}", "$quiet"),
            *paragraph(_text(each), half),
        ]
        for name, each in (("before", model.before), ("now", model.now))
        if each is not None and (is_new or each is model.now)
    ]
    return (
        [*lines, *beside(sides[0], sides[-1], half + _BETWEEN)] if sides[1:] else lines + sides[0]
    )


def loss_text(writing: WrittenText) -> str:
    return "no number" if writing.loss is None else f"{writing.loss:.2f}"


def _text(writing: WrittenText) -> Content:
    """Return the prompt, and the text that follows it."""
    return Content.assemble((f"{writing.prompt} ", "$quiet"), writing.text)
