"""The checks of `flash-decode`."""

import numpy as np

from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded, Space

from ...misconceptions import splitting
from ...reference.splitting import STEPS, merge, partial_attention
from ...shared import FLOATS, NO_GRADIENT, NO_HALVES, NOT_EXPANDED, OF_HEADS, behaviour


def ask(
    draw: Draw,
    *,
    h: int,
    m: int,
    n: int,
    d: int,
    d_v: int,
    s: int,
    empty: str = "",
    apart: float = 1.0,
) -> list[Call]:
    """A part, and parts to merge, whose logarithms are `apart` as far as drawn.

    Which of them are `empty`: none, "one", or all but the "last".
    """
    q, k = draw.array(h, m, d, sharp=True), draw.array(h, n, d, sharp=True)
    outputs, lses = draw.array(s, h, m, d_v), draw.array(s, h, m, sharp=True)
    lses.values[...] *= apart
    if empty and s > 1:
        one = int(draw.generator.integers(s))
        gone = slice(s - 1) if empty == "last" else slice(one, one + 1)
        lses.values[gone], outputs.values[gone] = -np.inf, 0.0
    return [
        Call("partial_attention", (q, k, draw.array(h, n, d_v)), into="part"),
        Call("merge", (outputs, lses), into="merged"),
    ]


drill = Drill(
    id="flash-decode",
    reference={"partial_attention": partial_attention, "merge": merge},
    steps=STEPS,
    exponents="exponents",
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": FLOATS,
                "layout": OF_HEADS,
                "heads": {
                    "three heads": {"h": 3},
                    "one head": {"h": 1},
                    "as many as parts": {"h": 4},
                },
                "sizes": {
                    "one query": {"m": 1, "n": 7},
                    "several queries": {"m": 4, "n": 5},
                    "one key": {"m": 3, "n": 1},
                    "as many queries as keys": {"m": 4, "n": 4},
                },
                "widths": {
                    "values wider": {"d": 4, "d_v": 6},
                    "values as wide": {"d": 5, "d_v": 5},
                    "keys wider": {"d": 6, "d_v": 2},
                    "one feature": {"d": 1, "d_v": 1},
                },
                "parts": {
                    "three parts": {"s": 3},
                    "one part": {"s": 1},
                    "five parts": {"s": 5},
                    "four parts": {"s": 4},
                },
                "empty": {
                    "no empty part": {},
                    "an empty part": {"empty": "one"},
                    "only the last not empty": {"empty": "last"},
                },
                "values": {
                    "drawn": {},
                    "logarithms far apart": {"apart": 8.0},
                    "large scores": {"spread": 40.0, "apart": 30.0},
                },
            },
            (
                Excluded(
                    "an axis of size 1 has no stride",
                    layout=("transposed in memory", "strided in memory"),
                    widths="one feature",
                ),
                Excluded(
                    "the layout of an axis of size 1 makes no difference",
                    layout=("transposed in memory", "permuted as by split_heads"),
                    sizes=("one query", "one key"),
                ),
                Excluded(
                    "the layout of an axis of size 1 makes no difference",
                    layout="permuted as by split_heads",
                    heads="one head",
                ),
                Excluded(
                    "the only part is not empty",
                    parts="one part",
                    empty=("an empty part", "only the last not empty"),
                ),
            ),
        ),
    ),
    cases=(
        case("the same calls twice", twice=True, h=2, m=2, n=3, d=2, d_v=2, s=2),
        case(
            "float64, permuted",
            dtype="float64",
            layout=Layout.PERMUTED,
            h=3,
            m=4,
            n=5,
            d=3,
            d_v=2,
            s=4,
        ),
    ),
    probes=(
        Probe(
            "an empty part",
            lambda call: call["lses"] is not None and bool(np.isinf(call["lses"].values).any()),
        ),
        Probe(
            "a logarithm above 500",
            lambda call: call["lses"] is not None and bool((call["lses"].values > 500).any()),
        ),
    ),
    unasked=NO_GRADIENT
    | NO_HALVES
    | NOT_EXPANDED
    | {"[dn] ? s": "parts are merged in a call of their own"},
    small=(
        {"h": 1, "m": 1, "n": 2, "d": 1, "d_v": 1, "s": 2},
        {"h": 1, "m": 1, "n": 2, "d": 2, "d_v": 2, "s": 2},
        {"h": 1, "m": 2, "n": 2, "d": 2, "d_v": 1, "s": 2},
        {"h": 1, "m": 1, "n": 2, "d": 2, "d_v": 1, "s": 3, "empty": "one"},
        {"h": 1, "m": 1, "n": 2, "d": 2, "d_v": 1, "s": 3, "empty": "last"},
    ),
    misconceptions=(*splitting.OF_MERGES, *behaviour("flash-decoding")),
    axes=("part", "query", "value"),
    parts=("output", "logarithms"),
    told_as={"empty": "", "apart": ""},
    forbidden=(
        "scaled_dot_product_attention",
        "multi_head_attention_forward",
        "MultiheadAttention",
    ),
)
