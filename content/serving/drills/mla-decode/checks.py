"""The checks of `mla-decode`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Contrast, Draw, Drill, Growth, Limit, Measured, case
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded, Space
from studyattn.grading.tolerance import rounded

from ...misconceptions import latent
from ...reference.latent import STEPS, mla_decode
from ...shared import FLOATS, NO_GRADIENT, NO_HALVES, NOT_EXPANDED, OF_HEADS, behaviour


def ask(draw: Draw, *, h: int, n: int, d: int, d_r: int, d_c: int, d_v: int) -> Call:
    """One token's queries, and a cache of `n` latents and rotated keys."""

    def made(*shape: int):
        drawn = draw.array(*shape)
        if draw.case.whole:
            return drawn
        return replace(drawn, values=rounded(drawn.values / np.sqrt(shape[-2]), draw.case.dtype))

    q, q_r = draw.array(h, d, sharp=True), draw.array(h, d_r, sharp=True)
    c, k_r = draw.array(n, d_c), draw.array(n, d_r)
    return Call("mla_decode", (q, q_r, c, k_r, made(h, d_c, d), made(h, d_c, d_v)))


def few_operations(sizes: Mapping[str, Any]) -> int:
    """Four times what the regrouped products take."""
    h, n, wide = sizes["h"], sizes["n"], sizes["d_c"]
    projecting = 2 * h * wide * (sizes["d"] + sizes["d_v"])
    return int(4 * (projecting + 2 * h * n * (2 * wide + sizes["d_r"]) + 8 * h * n))


def made_for_all(measured: Measured) -> bool:
    """Return whether each cached token adds half of making its keys, or more."""
    (small, used), *_, (large, used_more) = measured
    more = large["n"] - small["n"]
    making = 2 * large["h"] * large["d_c"] * min(large["d"], large["d_v"])
    return used_more.flops - used.flops >= more * making / 2


COSTED = {"h": 4, "d": 48, "d_v": 48, "d_c": 24, "d_r": 4}

drill = Drill(
    id="mla-decode",
    reference={"mla_decode": mla_decode},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": FLOATS,
                "layout": OF_HEADS,
                "heads": {
                    "three heads": {"h": 3},
                    "one head": {"h": 1},
                    "as many as tokens": {"h": 7},
                },
                "tokens": {
                    "seven tokens": {"n": 7},
                    "one token": {"n": 1},
                    "as many as latents are wide": {"n": 4},
                },
                "widths": {
                    "all different": {"d": 5, "d_r": 2, "d_c": 4, "d_v": 6},
                    "all alike": {"d": 4, "d_r": 4, "d_c": 4, "d_v": 4},
                    "wide latents": {"d": 3, "d_r": 6, "d_c": 9, "d_v": 2},
                    "values as wide as keys": {"d": 5, "d_r": 3, "d_c": 6, "d_v": 5},
                    "of one feature": {"d": 1, "d_r": 1, "d_c": 1, "d_v": 1},
                },
                "values": {"drawn": {}, "large scores": {"spread": 2e3}},
            },
            (
                Excluded(
                    "an axis of size 1 has no stride",
                    layout=("transposed in memory", "strided in memory"),
                    widths="of one feature",
                ),
                Excluded(
                    "the layout of an axis of size 1 makes no difference",
                    layout=("transposed in memory", "permuted as by split_heads"),
                    heads="one head",
                ),
                Excluded(
                    "the layout of an axis of size 1 makes no difference",
                    layout="transposed in memory",
                    tokens="one token",
                ),
            ),
        ),
    ),
    cases=(
        case("the same call twice", twice=True, h=2, n=3, d=3, d_r=2, d_c=4, d_v=3),
        case(
            "float64, permuted",
            dtype="float64",
            layout=Layout.PERMUTED,
            h=3,
            n=5,
            d=4,
            d_r=2,
            d_c=6,
            d_v=5,
        ),
        case("three hundred tokens", costed=True, n=300, **COSTED),
        case("twelve hundred tokens", costed=True, n=1200, **COSTED),
    ),
    probes=(
        Probe(
            "a rotated key wider than the others",
            lambda call: call["q_r"].shape[-1] > call["q"].shape[-1],
        ),
    ),
    unasked=NO_GRADIENT | NO_HALVES | NOT_EXPANDED,
    small=(
        {"h": 1, "n": 2, "d": 1, "d_r": 1, "d_c": 1, "d_v": 1},
        {"h": 1, "n": 2, "d": 2, "d_r": 1, "d_c": 2, "d_v": 2},
        {"h": 2, "n": 2, "d": 2, "d_r": 1, "d_c": 2, "d_v": 1},
        {"h": 2, "n": 2, "d": 1, "d_r": 2, "d_c": 2, "d_v": 2},
    ),
    misconceptions=(*latent.OF_LATENTS, *behaviour("mla-decoding")),
    axes=("head", "value"),
    growth=Growth(
        counts="tokens",
        sizes=lambda n: {**COSTED, "n": n},
        contrasts=(Contrast("keys of all tokens"),),
    ),
    limit=Limit(
        latent.mla_materialized,
        flops=few_operations,
        grows_with=lambda sizes: sizes["n"],
        claim=made_for_all,
    ),
    forbidden=(
        "scaled_dot_product_attention",
        "multi_head_attention_forward",
        "MultiheadAttention",
    ),
)
