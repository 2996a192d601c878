"""The checks of `causal-linear-attention`."""

from typing import Any

import numpy as np

from studyattn.attention import STEPS, causal_linear_attention
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import (
    Contrast,
    Draw,
    Drill,
    Growth,
    Limit,
    Measured,
    case,
    with_values,
)
from studyattn.grading.tolerance import rounded

from ...conditions import FEATURES, LARGE_FEATURES, attention_space, gradients_space
from ...misconceptions import behaviour, linear, masks, scores
from ...probes import gradient_beside_large, one_array, zeros
from ...shared import FORBIDDEN, queries_keys_values_for_features
from ...variants import EPSILON_ADDED

POSITIONS = {
    "several tokens": {"n": 5},
    "one token": {"n": 1},
    "odd number of tokens": {"n": 17},
}


def ask(draw: Draw, *, n: int, lowered: float = 0.0, **sizes: Any) -> Call:
    """The first key stands `lowered` below what was drawn: later ones have far larger features."""
    q, k, v = queries_keys_values_for_features(draw, m=n, n=n, **sizes)
    if lowered:
        lower = k.values - lowered * (np.arange(n) == 0)[:, None]
        k = with_values(k, rounded(lower, k.dtype))
    return Call("causal_linear_attention", (q, k, v))


def is_quadratic(measured: Measured) -> bool:
    """Return whether a matrix of all pairs was made, or the work of a triangle of them done."""
    return any(
        usage.largest_array >= sizes["n"] ** 2 // 2
        or usage.flops >= sizes["n"] ** 2 // 2 * sizes["d"]
        for sizes, usage in measured
    )


drill = Drill(
    id="causal-linear-attention",
    reference={"causal_linear_attention": causal_linear_attention},
    steps=STEPS,
    ask=ask,
    spaces=(
        attention_space(POSITIONS, values=FEATURES),
        gradients_space(
            {
                "a batch": {"batch": (2,), "n": 3, "d": 2, "d_v": 1},
                "no batch": {"n": 2, "d": 2, "d_v": 2},
            },
            large=LARGE_FEATURES,
        ),
    ),
    cases=(
        case("the same call twice", twice=True, batch=(2,), n=5, d=3, d_v=2),
        case(
            "a first key of tiny features",
            by_rounding=True,
            lowered=12.0,
            wide=True,
            batch=(2,),
            n=5,
            d=3,
            d_v=2,
        ),
        case("cost", costed=True, n=520, d=4, d_v=4),
        case("cost of more tokens", costed=True, n=1040, d=4, d_v=4),
    ),
    probes=(
        gradient_beside_large("q", "k"),
        one_array("q", "k"),
        one_array("k", "v"),
        *map(zeros, "qkv"),
    ),
    small=(
        {"n": 2, "d": 1, "d_v": 1},
        {"n": 2, "d": 2, "d_v": 1},
        {"n": 3, "d": 2, "d_v": 2},
    ),
    misconceptions=(
        masks.mask_missing,
        masks.mask_excludes_self,
        masks.mask_sees_next,
        masks.mask_future_only,
        *linear.LINEAR,
        linear.linear_normaliser_not_causal,
        linear.linear_divided_by_position,
        linear.linear_state_excludes_self,
        linear.linear_chunk_seen,
        linear.linear_chunk_unseen,
        scores.values_are_keys,
        scores.query_key_swapped,
        *behaviour.of("causal-linear-attention"),
    ),
    growth=Growth(
        counts="tokens",
        sizes=lambda n: {"n": n, "d": 8, "d_v": 8},
        contrasts=(Contrast("softmax attention", "causal-attention"),),
    ),
    slack=8.0,  # elu(x) + 1 cancels digits where x is negative
    variants=(EPSILON_ADDED,),
    axes=("batch", "head", "position", "value"),
    limit=Limit(
        linear.linear_quadratic,
        # Chunks of a hundred tokens are linear too; the triangle of all pairs takes more.
        flops=lambda sizes: 160 * sizes["n"] * sizes["d"] * sizes["d_v"],
        largest_array=lambda sizes: sizes["n"] ** 2 // 4,
        grows_with=lambda sizes: int(sizes["n"]),
        claim=is_quadratic,
    ),
    forbidden=FORBIDDEN,
)
