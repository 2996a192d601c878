"""Mistakes with linear attention, whole and causal."""

import math

import numpy as np

from studyattn.attention import STEPS
from studyattn.grading.misconception import Misconception, Sign

linear_normaliser_missing = Misconception(
    id="linear-normaliser-missing",
    title="The result is not divided by the sum of the weights.",
    formula=r"\frac{\phi(q)\,\phi(K)^T V}{\phi(q) \sum_j \phi(k_j)}",
    concept="linear-attention",
    ways=({"share": lambda numerator, denominator: numerator},),
)

linear_feature_map_missing = Misconception(
    id="linear-feature-map-missing",
    title="Queries and keys are used without the feature map elu + 1: weights can be negative.",
    formula=r"\phi(x) = \text{elu}(x) + 1",
    concept="linear-attention",
    ways=({"feature": lambda x: x},),
)

SELU = (1.0507009873554805, 1.6732632423543772)
"""Scale and α of selu, which is taken for elu (Klambauer et al. 2017)."""


def _shares(x, axis):
    exponentials = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)


linear_feature_map_wrong = Misconception(
    id="linear-feature-map-wrong",
    title="The feature map is not elu + 1.",
    formula=r"\phi(x) = \text{elu}(x) + 1",
    concept="linear-attention",
    ways=tuple(
        {"feature": feature}
        for feature in (
            lambda x: np.maximum(x, 0.0),
            lambda x: np.maximum(x, 0.0) + 1.0,
            np.exp,
            lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0.0))),
            lambda x: 1.0 / (1.0 + np.exp(-x)),
            lambda x: x + 1.0,
            lambda x: np.logaddexp(0.0, x),
            np.square,
            np.abs,
            lambda x: _shares(x, -1),
            lambda x: 1.0 + SELU[0] * np.where(x > 0, x, SELU[1] * np.expm1(np.minimum(x, 0.0))),
        )
    ),
)


def _on_one_side(*sides):
    """Linear attention with the feature map on these of queries and keys, `q` or `k`, alone."""

    def linear_attention(q, k, v, *, steps=STEPS):
        q, k, v = steps.roles(q, k, v)
        q = steps.feature(q) if "q" in sides else q
        k = steps.feature(k) if "k" in sides else k
        return steps.share(q @ (np.matrix_transpose(k) @ v), q @ np.sum(k, axis=-2)[..., None])

    return {"linear_attention": linear_attention}


linear_feature_map_on_one_side = Misconception(
    id="linear-feature-map-on-one-side",
    title="The feature map is applied only to the queries or only to the keys; both need it.",
    formula=r"\phi(q_i)^T \phi(k_j)",
    concept="linear-attention",
    ways=(_on_one_side("q"), _on_one_side("k")),
)

linear_scaled = Misconception(
    id="linear-scaled",
    title=(
        "Queries or keys are divided by a root of d before the feature map; no scaling is used "
        "here."
    ),
    formula=r"\phi(q_i)^T \phi(k_j)",
    concept="linear-attention",
    ways=tuple(
        {"roles": roles}
        for roles in (
            lambda q, k, v: (q / math.sqrt(q.shape[-1]), k, v),
            lambda q, k, v: (q, k / math.sqrt(q.shape[-1]), v),
            lambda q, k, v: (q / q.shape[-1] ** 0.25, k / q.shape[-1] ** 0.25, v),
            lambda q, k, v: (q / math.sqrt(q.shape[-1]), k / math.sqrt(q.shape[-1]), v),
        )
    ),
)


def _divided_by_the_count():
    """Remembers how many keys there are."""
    count = []

    def roles(q, k, v):
        count[:] = [k.shape[-2]]
        return q, k, v

    return {"roles": roles, "share": lambda numerator, denominator: numerator / count[0]}


linear_divided_by_count = Misconception(
    id="linear-divided-by-count",
    title="The sum is divided by the number of keys, not by the sum of its weights.",
    formula=r"\frac{\phi(q)\,\phi(K)^T V}{\phi(q) \sum_j \phi(k_j)}",
    concept="linear-attention",
    ways=(_divided_by_the_count,),
)


def _divided_by_positions(numerator, denominator):
    """The causal sum over its number of keys."""
    return numerator / np.arange(1, numerator.shape[-2] + 1)[:, None]


linear_divided_by_position = Misconception(
    id="linear-divided-by-position",
    title="The sum is divided by a number of positions, not by the sum of the weights.",
    formula=r"z_i = \sum_{j \le i} \phi(k_j)",
    concept="causal-linear-attention",
    ways=({"share": _divided_by_positions}, _divided_by_the_count),
)

linear_quadratic = Misconception(
    id="linear-quadratic",
    title="It costs as much as a query-by-key matrix: multiply keys by values first.",
    formula=r"\phi(Q)\left(\phi(K)^T V\right)",
    concept="linear-attention",
    sign=Sign.COST,
)

linear_normaliser_not_causal = Misconception(
    id="linear-normaliser-not-causal",
    title="The divisor sums the keys of all positions, not only up to its own.",
    formula=r"z_i = \sum_{j \le i} \phi(k_j)",
    concept="causal-linear-attention",
    ways=(
        {
            "prefix": lambda x, axis: (
                np.broadcast_to(np.sum(x, axis=axis, keepdims=True), x.shape)
                if axis == -2
                else np.cumsum(x, axis=axis)
            ),
        },
    ),
)


def _to_the_end_of(chunk):
    """Running sums that are taken a chunk at a time: each position sees all of its own chunk."""

    def prefix(x, axis):
        n = x.shape[axis]
        last = np.minimum((np.arange(n) // chunk + 1) * chunk, n) - 1
        return np.take(np.cumsum(x, axis=axis), last, axis=axis)

    return {"prefix": prefix}


linear_chunk_seen = Misconception(
    id="linear-chunk-seen",
    title="Every position sees all of its own chunk, including later positions.",
    formula=r"S_i = \sum_{j \le i} \phi(k_j)\, v_j^T",
    concept="causal-linear-attention",
    ways=tuple(_to_the_end_of(chunk) for chunk in (2, 4, 8, 16, 32, 64, 128, 3, 5, 10, 100)),
)


def _before_the_chunk(chunk):
    """Running sums up to the chunk before: no position sees its own chunk."""

    def prefix(x, axis):
        axis = axis % x.ndim
        sums = np.cumsum(x, axis=axis)
        sums = np.concatenate((np.zeros_like(np.take(sums, [0], axis=axis)), sums), axis=axis)
        return np.take(sums, np.arange(x.shape[axis]) // chunk * chunk, axis=axis)

    return {"prefix": prefix}


linear_chunk_unseen = Misconception(
    id="linear-chunk-unseen",
    title="A position sees earlier chunks but not its own chunk.",
    formula=r"S_i = \sum_{j \le i} \phi(k_j)\, v_j^T",
    concept="causal-linear-attention",
    ways=tuple(_before_the_chunk(chunk) for chunk in (2, 4, 8, 16, 32, 64, 128)),
)

linear_state_excludes_self = Misconception(
    id="linear-state-excludes-self",
    title="One of the two running sums is read before the current position is added.",
    formula=r"S_i = \sum_{j \le i} \phi(k_j)\, v_j^T,\; z_i = \sum_{j \le i} \phi(k_j)",
    concept="causal-linear-attention",
    ways=tuple(
        {
            "prefix": lambda x, axis, late=late: (
                np.cumsum(x, axis=axis) - (x if axis == late else 0.0)
            )
        }
        for late in (-3, -2)
    ),
)

LINEAR = (
    linear_normaliser_missing,
    linear_feature_map_missing,
    linear_feature_map_wrong,
    linear_scaled,
    linear_quadratic,
)
