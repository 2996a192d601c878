"""The common parts of the checks of several drills: the drawing of inputs, and some sizes."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.call_plan import ArrayInput, Layout
from studyattn.grading.drill import Draw, given
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
    zeros: bool = False,
    alike: bool = False,
) -> tuple[ArrayInput, ArrayInput, ArrayInput]:
    """q `(*batch, m, d)`, k `(*batch, n, d)`, v `(*batch, n, d_v)`; one array when `alike`.

    All scaled scores stand `lowered` below what was drawn, which alters no weight but that of the
    first key: it stands twice as far below. `uneven` values are small in their first column and
    large in their last. With `zeros`, the last query, the first key and its value are nothing but
    zeros, as good as any other.
    """
    q = draw.array(*batch, m, d, sharp=True)
    k = q if alike else draw.array(*batch, n, d, sharp=True)
    v = q if alike else draw.array(*batch, n, d_v)
    if lowered:
        entry = np.sqrt(lowered * np.sqrt(d))  # of a feature that all have: q · k falls by entry²
        q, k = with_first_feature(q, entry), with_first_feature(k, -entry)
        k.values[..., 0, 0] *= 2
    if zeros:
        for array, row in ((q, -1), (k, 0), (v, 0)):
            array.values[..., row, :] = 0.0
    return q, k, unevenly(v) if uneven else v


def one_unlike(shape: tuple[int, ...], place: int, *, says: bool) -> ArrayInput:
    """A mask that says one thing at `place`, counted through all axes, and the other elsewhere."""
    mask = np.full(shape, not says)
    mask.flat[place] = says
    return given(mask)


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


def with_lower_scores(q: ArrayInput, k: ArrayInput, by: float) -> tuple[ArrayInput, ArrayInput]:
    """q and k of which every scaled score is about `by` lower, which alters no weight much.

    The keys stay small, so that no digits of dq = dS k cancel.
    """
    return with_first_feature(q, by), with_first_feature(k, -np.sqrt(q.values.shape[-1]))


def with_first_feature(array: ArrayInput, entry: float | NDArray[np.float64]) -> ArrayInput:
    """`array` `(..., d)` with the same first feature in every row, or with one `entry` a row."""
    values = array.values.copy()
    values[..., 0] = entry
    return _changed(array, values)


def rows_to_normalise(
    draw: Draw,
    *,
    n: int,
    d: int,
    batch: tuple[int, ...] = (),
    lowered: float = 0.0,
    flat: bool = False,
    zeros: bool = False,
) -> ArrayInput:
    """Rows `(*batch, n, d)`, all `lowered`.

    All entries of the last row are equal with `flat`, and zero with `zeros`.
    """
    x = draw.array(*batch, n, d, sharp=True)
    if d == 2:  # of two entries that nearly agree, rounding is most of what a norm leaves
        apart = np.abs(x.values[..., 0] - x.values[..., 1])
        x.values[..., 1] += (apart > 0) & (apart < 0.3)
    if zeros:
        x.values[..., -1, :] = 0.0
    if flat:
        x.values[..., -1, :] = x.values[..., -1, :1]
    return _changed(x, x.values - lowered) if lowered else x


def rows_at_positions(
    draw: Draw,
    *,
    n: int,
    d: int,
    batch: tuple[int, ...] = (),
    positions: int = 0,
    step: int = 1,
    zeros: bool = False,
) -> tuple[ArrayInput, ArrayInput]:
    """Rows `(*batch, n, d)` at `positions`, that plus `step`, … `(n,)`.

    With `zeros`, the last row is zero.
    """
    x = draw.array(*batch, n, d)
    if zeros:
        x.values[..., -1, :] = 0.0
    where = given(positions + step * np.arange(n))
    if draw.case.layout is Layout.STRIDED:
        where = dataclasses.replace(where, layout=Layout.STRIDED)
    return x, where


def _changed(array: ArrayInput, values: NDArray[np.float64]) -> ArrayInput:
    """`array` with other values, as its dtype holds them."""
    return dataclasses.replace(array, values=rounded(values, array.dtype))


def projections(
    draw: Draw, *, d_model: int, h: int, d: int, d_v: int, d_context: int | None = None
) -> tuple[ArrayInput, ArrayInput, ArrayInput, ArrayInput]:
    """w_q, w_k, w_v and w_o of `h` heads, `d` wide, with values `d_v` wide.

    No gradient is asked for them: they may be copied into the parameters of a module.
    """
    d_context = d_context or d_model
    shapes = ((d_model, h * d), (d_context, h * d), (d_context, h * d_v), (h * d_v, d_model))
    w_q, w_k, w_v, w_o = (draw.weight(*shape, frozen=True) for shape in shapes)
    return w_q, w_k, w_v, w_o


def lower_scores(
    asking: ArrayInput, answering: ArrayInput, w_q: ArrayInput, w_k: ArrayInput, h: int, by: float
) -> None:
    """Change fresh arrays so that all scaled scores stand `by` lower, those of the first key more.

    The first feature of every token is 1, of the first that answers 2, and the first column of each
    head's projections makes a number of it that queries and keys have with opposite signs.
    """
    d = w_q.values.shape[-1] // h
    entry = np.sqrt(by * np.sqrt(d))
    for array, weights, sign in ((asking, w_q, 1), (answering, w_k, -1)):
        array.values[..., 0] = 1.0
        weights.values[:, ::d] = 0.0
        weights.values[0, ::d] = sign * entry
    answering.values[..., 0, 0] = 2.0


def tokens(n: int) -> dict[str, int]:
    """Sizes of one head in which each of `n` tokens attends to all of them."""
    return {"m": n, "n": n, "d": 8, "d_v": 8}


HUGE = {"dtype": "float64", "spread": 3e3}
"""Scores of ten million: beyond every bound that one might set them, and below many a fill."""

SMALL = (
    {"m": 1, "n": 2, "d": 2, "d_v": 1},
    {"m": 2, "n": 2, "d": 2, "d_v": 2},
    {"m": 2, "n": 3, "d": 2, "d_v": 2},
    {"batch": (2, 2), "m": 2, "n": 2, "d": 1, "d_v": 1},
)
"""Sizes of a counterexample, whose arrays have at most nine numbers."""
