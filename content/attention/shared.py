"""What the checks of several drills share: how inputs are drawn, and the standard conditions."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.drill import Draw, case
from studyattn.grading.program import ArrayInput, Layout
from studyattn.grading.tolerance import rounded

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
    uneven: bool = False,
) -> tuple[ArrayInput, ArrayInput, ArrayInput]:
    """q `(*batch, m, d)`, k `(*batch, n, d)`, v `(*batch, n, d_v)`.

    All scaled scores stand `lowered` below what was drawn, which alters no weight. `uneven` values
    are small in their first column and large in their last.
    """
    q = draw.array(*batch, m, d, sharp=True)
    k = draw.array(*batch, n, d, sharp=True)
    v = draw.array(*batch, n, d_v)
    if lowered:
        entry = np.sqrt(lowered * np.sqrt(d))  # of a feature that all have: q · k falls by entry²
        q, k = with_first_feature(q, entry), with_first_feature(k, -entry)
    return q, k, unevenly(v) if uneven else v


def queries_keys_values_for_features(
    draw: Draw, *, tiny: bool = False, wide: bool = False, **sizes: Any
) -> tuple[ArrayInput, ArrayInput, ArrayInput]:
    """q, k and v for linear attention, whose features are elu(x) + 1.

    `tiny`: every sum of weights is below 1e-12, which no divisor may be kept above. The values are
    small as well, since elu(x) + 1 keeps few digits there. `wide`: no key has a tiny feature, each
    query has one that is not, and all others are whatever was drawn.
    """
    q, k, v = queries_keys_values(draw, **sizes)
    if tiny:
        q, k = (_changed(array, 0.3 * array.values - 14.7) for array in (q, k))
        v = _changed(v, 1e-6 * v.values)
    if wide:
        q, k = with_first_feature(q, 1.0), _changed(k, np.abs(k.values))
    return q, k, v


def unevenly(array: ArrayInput, axis: int = -1) -> ArrayInput:
    """`array`, a millionth to ten thousand times as large along `axis`: no floor or ceiling."""
    factors = np.logspace(-6, 4, array.values.shape[axis])
    along = np.moveaxis(array.values, axis, -1) * factors
    return _changed(array, np.moveaxis(along, -1, axis))


def with_first_feature(array: ArrayInput, entry: float) -> ArrayInput:
    """`array` `(..., d)` with the same first feature in every row."""
    values = array.values.copy()
    values[..., 0] = entry
    return _changed(array, values)


def _changed(array: ArrayInput, values: NDArray[np.float64]) -> ArrayInput:
    """`array` with other values, as its dtype holds them."""
    return dataclasses.replace(array, values=rounded(values, array.dtype))


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

MANY_KEYS = case("more than a thousand keys", m=2, n=1030, d=3, d_v=2)
BATCHES = case("three axes of batches", batch=(2, 1, 3), m=3, n=4, d=5, d_v=2)
UNEVEN = case(
    "values large and small", dtype="float64", batch=(2,), m=4, n=6, d=3, d_v=3, uneven=True
)
"""What no size may be limited to, and no value."""

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
