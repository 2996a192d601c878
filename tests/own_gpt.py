"""A checkpoint of a tiny GPT that knows a few characters, as `gpt train` keeps one."""

from __future__ import annotations

import runpy

import torch

from studyattn.bundled import content_dir
from studyattn.lm.calls import Part
from studyattn.lm.parts import GPT
from studyattn.lm.records import Sizes
from studyattn.lm.training import OwnGpt

TEXT = "the 12 ab the 12 the " * 200
PARTS: dict[str, Part] = {
    entry: runpy.run_path(str(content_dir() / "attention" / "drills" / drill / "solution.py"))[
        entry
    ]
    for entry, drill in GPT.drills.items()
}


def checkpoint() -> bytes:
    """Return the weights after a few steps on `TEXT`."""
    model = OwnGpt(Sizes(width=16, heads=2, layers=1, context=16, batch=8), 0, PARTS, {})
    with torch.enable_grad():
        model.begin(TEXT)
        model.training.advance(20.0, 40)
        model.training.advance(20.0, 40)
    return model.checkpoint()
