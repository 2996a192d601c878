"""What the checks of several drills share: how inputs are drawn, and the standard conditions."""

import dataclasses

import numpy as np

from studyattn.grading.drill import Draw, case
from studyattn.grading.program import ArrayInput, Layout

FORBIDDEN = (
    "scaled_dot_product_attention",
    "multi_head_attention_forward",
    "MultiheadAttention",
)
"""Library functions that do a whole exercise; their twins and private kernels are caught too."""


def queries_keys_values(
    draw: Draw,
    *,
    m: int,
    n: int,
    d: int,
    d_v: int,
    batch: tuple[int, ...] = (),
    lowered: float = 0.0,
) -> tuple[ArrayInput, ArrayInput, ArrayInput]:
    """q `(*batch, m, d)`, k `(*batch, n, d)`, v `(*batch, n, d_v)`.

    All scaled scores stand `lowered` below what was drawn, which alters no weight.
    """
    q = draw.array(*batch, m, d, sharp=True)
    k = draw.array(*batch, n, d, sharp=True)
    v = draw.array(*batch, n, d_v)
    if lowered:
        entry = np.sqrt(lowered * np.sqrt(d))  # of a feature that all have: q · k falls by entry²
        q, k = _with_first_feature(q, entry), _with_first_feature(k, -entry)
    return q, k, v


def below_zero(array: ArrayInput, by: float) -> ArrayInput:
    """Every entry lower by `by`. The features elu(x) + 1 of linear attention are tiny there."""
    return dataclasses.replace(array, values=array.values - by)


def _with_first_feature(array: ArrayInput, entry: float) -> ArrayInput:
    """`array` `(..., d)` with the same first feature in every row."""
    values = array.values.copy()
    values[..., 0] = entry
    return dataclasses.replace(array, values=values)


def projections(
    draw: Draw, *, d_model: int, h: int, d: int, d_v: int, d_context: int | None = None
) -> tuple[ArrayInput, ArrayInput, ArrayInput, ArrayInput]:
    """w_q, w_k, w_v and w_o of `h` heads, `d` wide, with values `d_v` wide."""
    d_context = d_context or d_model
    w_q, w_k = draw.weight(d_model, h * d), draw.weight(d_context, h * d)
    return w_q, w_k, draw.weight(d_context, h * d_v), draw.weight(h * d_v, d_model)


def tokens(n: int) -> dict[str, int]:
    """Sizes of one head in which each of `n` tokens attends to all of them."""
    return {"m": n, "n": n, "d": 8, "d_v": 8}


SIZES = {"batch": (2, 3), "m": 4, "n": 5, "d": 6, "d_v": 7}
"""Every size another one, so that no two axes can be mistaken for each other."""

MORE_QUERIES = (
    case("more queries than keys", batch=(2,), m=7, n=3, d=4, d_v=5),
    case("several queries, one key", batch=(2,), m=4, n=1, d=3, d_v=2),
)
"""What a causal drill has no answer to."""

MEMORY = (
    case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
    case("strided in memory", layout=Layout.STRIDED, **SIZES),
)

LOWERED = case("scores far below zero", dtype="float64", m=4, n=6, d=5, d_v=3, lowered=2e3)
"""The largest score is less than any exponential can hold, so it must be subtracted as it is."""

STANDARD = (
    case("all sizes different", **SIZES),
    case("float64", dtype="float64", batch=(2, 3), m=5, n=7, d=3, d_v=4),
    case("float64, tiny weights", dtype="float64", spread=3.5, m=6, n=20, d=5, d_v=3),
    case("as many queries as keys", batch=(2, 4), m=5, n=5, d=5, d_v=5),
    case("batch = heads", batch=(3, 3), m=4, n=4, d=5, d_v=5),
    case("no batch", m=3, n=5, d=4, d_v=2),
    case("one query", batch=(2,), m=1, n=6, d=3, d_v=4),
    case("one key", batch=(2,), m=1, n=1, d=3, d_v=5),
    case("large scores", spread=100.0, batch=(2,), m=5, n=6, d=4, d_v=3),
    LOWERED,
    case("odd sizes", batch=(1, 5), m=13, n=17, d=11, d_v=9),
    case("one feature", batch=(2,), m=2, n=3, d=1, d_v=1),
    case("many keys", m=3, n=131, d=64, d_v=5),
    case("many queries", m=66, n=67, d=3, d_v=2),
    *MEMORY,
    case("the same call twice", twice=True, batch=(3, 2), m=4, n=5, d=6, d_v=3),
    case("gradients", gradients=True, dtype="float64", m=3, n=4, d=3, d_v=2),
)
"""Conditions under which queries attend to keys; m ≤ n, so that causal drills can use them."""

SMALL = (
    {"m": 1, "n": 2, "d": 2, "d_v": 1},
    {"m": 2, "n": 2, "d": 2, "d_v": 2},
    {"m": 2, "n": 3, "d": 2, "d_v": 2},
    {"batch": (2, 2), "m": 2, "n": 2, "d": 2, "d_v": 2},
)
"""Sizes of a counterexample."""
