"""Mistakes with two vectors, or with a row of weights: the first drills."""

import numpy as np

from studyattn.grading.misconception import Misconception

# ── the dot product ──────────────────────────────────────────────────────────────────────────────


def _averaged(q, k):
    return q @ np.matrix_transpose(k) / q.shape[-1]


def _over_rows(q, k):
    return np.sum(q * k, axis=-2, keepdims=True)


dot_averaged = Misconception(
    id="dot-averaged",
    title="The products are averaged; a dot product sums them.",
    formula=r"a \cdot b = \sum_i a_i b_i",
    concept="dot-product",
    ways=({"scores": _averaged},),
)

dot_over_rows = Misconception(
    id="dot-over-rows",
    title="The products are summed over the rows, not within each row.",
    formula=r"y_j = \sum_i a_i b_{ji}",
    concept="dot-product",
    ways=({"scores": _over_rows},),
)

# ── the weighted sum ─────────────────────────────────────────────────────────────────────────────


def _unused(weights, v):
    return np.mean(v, axis=-2, keepdims=True) + 0.0 * np.sum(weights)


def _normalised(weights, v):
    return weights @ v / np.sum(weights, axis=-1, keepdims=True)


def _divided_by_count(weights, v):
    return weights @ v / weights.shape[-1]


def _over_columns(weights, v):
    return weights * np.sum(v, axis=-1)


weights_unused = Misconception(
    id="weights-unused",
    title="Every value counts equally: the weights are not used.",
    formula=r"o = \sum_j p_j v_j",
    concept="weighted-sum",
    ways=({"aggregate": _unused},),
)

weights_normalised = Misconception(
    id="weights-normalised",
    title="The result is divided by the sum of the weights; use the weights as given.",
    formula=r"o = \sum_j p_j v_j",
    concept="weighted-sum",
    ways=({"aggregate": _normalised},),
)

sum_divided_by_count = Misconception(
    id="sum-divided-by-count",
    title="The weighted values are averaged; they should be summed.",
    formula=r"o = \sum_j p_j v_j",
    concept="weighted-sum",
    ways=({"aggregate": _divided_by_count},),
)

sum_over_columns = Misconception(
    id="sum-over-columns",
    title="Each weighted value is summed over its columns; sum over the values instead.",
    formula=r"o = \sum_j p_j v_j",
    concept="weighted-sum",
    ways=({"aggregate": _over_columns},),
)
