"""The gallery: the examples of `gallery.toml`, and those on which the drills open."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from studyattn.tui.attention_view.example import (
    CAUSAL,
    AttentionExample,
    AttentionStep,
    AttentionView,
    Maps,
    Mask,
    Rows,
    Weighting,
)


@dataclass(frozen=True, slots=True)
class Opening:
    """An example and the switches and step that the view begins with."""

    example: AttentionExample
    view: AttentionView = field(default_factory=AttentionView)
    step: AttentionStep = AttentionStep.WEIGHTS


def _rows(text: str) -> Rows:
    return tuple(tuple(map(float, row.split())) for row in text.split("/"))


def _example(told: Mapping[str, Any], matrices: Mapping[str, str]) -> AttentionExample:
    queries = tuple(told["queries"].split())
    heads = (each.split() for each in told["heads"])
    mask = CAUSAL
    if "mask" in told:
        name, allowed = told["mask"]
        mask = Mask(name, tuple(tuple(map(bool, row)) for row in _rows(allowed)))
    return AttentionExample(
        title=told["title"],
        queries=queries,
        keys=tuple(told["keys"].split()) if "keys" in told else queries,
        heads=tuple(Maps(*(_rows(matrices[name]) for name in head)) for head in heads),
        x=_rows(told["x"]),
        context=_rows(told["context"]) if "context" in told else None,
        mask=mask,
        weighting=Weighting(told.get("weighting", "softmax")),
        about=told["about"],
        printed=told.get("printed", False),
    )


def _read() -> tuple[dict[str, AttentionExample], dict[str, Opening]]:
    """Read the examples by their names, and the openings by drill."""
    found = tomllib.loads(Path(__file__).with_name("gallery.toml").read_text("utf-8"))
    matrices, examples, openings = found.pop("matrices"), {}, {}
    for name, own in found.items():
        told = {**found.get(own.get("like", ""), {}), **own}
        example = examples[name] = _example(told, matrices)
        for step, drills in own.get("drills", {}).items():
            masked = step == "masked"
            shown = AttentionStep.WEIGHTS if masked else AttentionStep(step)
            opening = Opening(example, AttentionView(masked=masked), shown)
            openings.update(dict.fromkeys(drills.split(), opening))
    return examples, openings


EXAMPLES, _OPENINGS = _read()
SLIDES: Final = EXAMPLES["slides"]
WELCOME: Final = EXAMPLES["welcome"]
"""What a first start shows: a head that follows grammar, with the causal mask."""

GALLERY: Final = tuple(each for name, each in EXAMPLES.items() if name != "one_query")
"""In the order in which the view goes through them."""


def opening_of(drill: str) -> Opening | None:
    """Return the opening for a drill; None where it has no pattern to see."""
    return _OPENINGS.get(drill)
