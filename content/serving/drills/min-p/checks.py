"""The checks of `min-p`."""

import math
from dataclasses import replace

import numpy as np

from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, case, given, with_values
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded, Space
from studyattn.grading.tolerance import rounded

from ...misconceptions import choosing
from ...reference.choosing import FILTERS, min_p, repetition_penalty
from ...shared import FLOATS, LAYOUTS, NO_GRADIENT, NO_HALVES, behaviour, by_keyword

MARGIN = 0.05
"""Between a logit and the limit: no rounding decides which tokens stay."""


def ask(
    draw: Draw,
    *,
    v: int,
    n: int = 4,
    p: float = 0.2,
    penalty: float = 1.5,
    batch: tuple[int, ...] = (),
    shifted: float = 0.0,
) -> list[Call]:
    """Logits clear of the limit, all of them `shifted`, and a text of tokens."""
    generator = draw.generator
    logits = draw.array(*batch, v, sharp=True)
    values = np.round(2 * logits.values, 1) if draw.case.whole else 1.5 * logits.values
    for _ in range(3):
        limit = values.max(axis=-1, keepdims=True) + math.log(p)
        near = (np.abs(values - limit) < MARGIN * (1 + draw.case.spread / 50)) & (
            values < values.max(axis=-1, keepdims=True)
        )
        values = np.where(near, values - 3 * MARGIN * (1 + draw.case.spread / 50), values)
    row = draw.array(v, sharp=True)
    tokens = generator.integers(0, v, n)
    tokens[generator.integers(n)] = tokens[0]
    text = given(tokens)
    if draw.case.layout is Layout.STRIDED:
        text = replace(text, layout=Layout.STRIDED)
    return [
        Call(
            "min_p",
            (with_values(logits, rounded(values + shifted, draw.case.dtype)), p),
            into="kept",
        ),
        Call("repetition_penalty", (row, text, penalty), into="penalized"),
    ]


drill = Drill(
    id="min-p",
    reference={"min_p": min_p, "repetition_penalty": repetition_penalty},
    steps=FILTERS,
    ask=ask,
    exact_zeros=True,
    spaces=(
        Space(
            {
                "dtype": FLOATS,
                "layout": LAYOUTS,
                "batch": {
                    "one batch axis": {"batch": (3,)},
                    "no batch": {"batch": ()},
                    "two batch axes": {"batch": (2, 4)},
                },
                "vocabulary": {
                    "six tokens": {"v": 6},
                    "one token": {"v": 1},
                    "forty tokens": {"v": 40},
                    "four tokens": {"v": 4},
                },
                "p": {
                    "a fifth": {},
                    "a hundredth": {"p": 0.01},
                    "nearly one": {"p": 0.9},
                    "one": {"p": 1.0},
                },
                "text": {
                    "four tokens before": {},
                    "one token before": {"n": 1},
                    "many before": {"n": 30},
                    "seven before": {"n": 7},
                },
                "penalty": {"1.5": {}, "none": {"penalty": 1.0}, "3": {"penalty": 3.0}},
                "values": {
                    "drawn": {},
                    "large numbers": {"spread": 100.0},
                    "far below zero": {"shifted": -500.0},
                },
                "passed": by_keyword("p"),
            },
            (
                Excluded(
                    "a vector has no second axis to transpose",
                    layout="transposed in memory",
                    batch="no batch",
                ),
                Excluded(
                    "an axis of size 1 has no stride",
                    layout=("transposed in memory", "strided in memory"),
                    vocabulary="one token",
                ),
            ),
        ),
    ),
    cases=(case("the same calls twice", twice=True, v=5),),
    probes=(
        Probe(
            "a token that occurs twice",
            lambda call: (
                call["tokens"] is not None
                and len(np.unique(call["tokens"].values)) < call["tokens"].shape[0]
            ),
        ),
    ),
    unasked=NO_GRADIENT
    | NO_HALVES
    | {
        "*permuted*": "a vocabulary lies in the last axis",
        "*expanded*": "each row has logits of its own",
        "*[345] axes in front*": "further axes in front are as two",
        "n ? v": "the vocabulary of the penalty is that of its logits, which have one axis",
    },
    small=(
        {"v": 2, "n": 1},
        {"v": 3, "n": 2},
        {"v": 3, "n": 3, "p": 0.5},
        {"v": 3, "n": 3, "penalty": 2.0},
    ),
    misconceptions=(*choosing.OF_FILTERS, *behaviour("sampling-filters")),
    axes=("row", "token"),
    told_as={"shifted": ""},
)
