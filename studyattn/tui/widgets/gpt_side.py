"""What stands beside the screen of the learner's GPT before it is trained: how it is put together.

Pure: from the parts to what is drawn in a width.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from textual.content import Content

from studyattn.lm.parts import ATTENTION, CACHE, EMBED, LOSS, MLP, NORM, SAMPLE, STEP
from studyattn.tui.formatting import join_lines, pad

if TYPE_CHECKING:
    from studyattn.study.practice.model_parts import ModelPart

_SIGNS: Final = {
    "yours": ("✓", "$right"),
    "lent": ("○", "$quiet"),
    "torch": ("·", "$quiet"),
}
_NAME: Final = 24  # columns of a part's name
_FLOW: Final = (
    ("", "a character"),
    ("│", EMBED),
    ("┃", NORM),
    ("┃", ATTENTION),
    ("┃", NORM),
    ("┃", MLP),
    ("│", NORM),
    ("│", "unembed"),
    ("", "how likely each next character is"),
)
"""The way through the model: a rail, and a part or what goes in and comes out."""

_AROUND: Final = (
    ("in training", (LOSS, STEP)),
    ("in writing", (CACHE, SAMPLE)),
)


def draw(parts: Iterable[ModelPart], width: int) -> Content:
    """Return the way through the model, and whose each part is."""
    origins = {part.entry: part for part in parts}
    lines = [Content.styled("How it is assembled", "bold"), Content()]
    blocks = False
    for rail, name in _FLOW:
        if rail == "┃" and not blocks:
            lines.append(Content.styled("┃ three blocks, each with", "$quiet"))
            blocks = True
        known = name in origins
        line = _part(origins, name, width - 2) if known else Content.styled(name, "$quiet")
        lines.append(Content.assemble((f"{rail} " if rail else "", "$rule"), line))
    for title, names in _AROUND:
        lines += [Content(), Content.styled(title, "$quiet")]
        lines += [Content.assemble("  ", _part(origins, name, width - 2)) for name in names]
    return join_lines(lines)


def _part(origins: Mapping[str, ModelPart], name: str, width: int) -> Content:
    part = origins.get(name)
    sign, style = _SIGNS.get(part.origin if part is not None else "torch", ("·", "$quiet"))
    whose = {"yours": "yours", "lent": "lent", "torch": "of torch"}
    word = whose.get(part.origin, "") if part is not None else ""
    return Content.assemble((sign, style), " ", pad(name, min(_NAME, width - 12)), (word, "$quiet"))
