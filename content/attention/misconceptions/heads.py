"""Mistakes with many heads: splitting, merging, and the output matrix."""

import numpy as np

from studyattn.attention.steps import split
from studyattn.attention.steps import updates as _updates
from studyattn.grading.misconception import Misconception

# ── splitting and merging ────────────────────────────────────────────────────────────────────────


def _split_by_reshape(x, num_heads):
    *batch, n, width = x.shape
    return x.reshape(*batch, num_heads, n, width // num_heads)


def _merge_by_reshape(heads):
    *batch, h, n, d_head = heads.shape
    return heads.reshape(*batch, n, h * d_head)


def _split_interleaved(x, num_heads):
    *batch, n, width = x.shape
    return np.moveaxis(x.reshape(*batch, n, width // num_heads, num_heads), -1, -3)


def _merge_interleaved(heads):
    *batch, h, n, d_head = heads.shape
    return np.moveaxis(heads, -3, -1).reshape(*batch, n, h * d_head)


def _repeat(merged, h):
    return np.concatenate([merged] * h, axis=-1)


heads_ignored = Misconception(
    id="heads-ignored",
    title="There is only one head, as wide as all heads together.",
    formula=r"\text{head}_i = \text{softmax}\left(\frac{Q_i K_i^T}{\sqrt{d_{head}}}\right) V_i",
    concept="multi-head",
    ways=(
        {"split": lambda x, num_heads: x[..., None, :, :]},
        {
            "split": lambda x, num_heads: x[..., None, :, :],
            "merge": lambda heads: heads[..., 0, :, :],
        },
        {
            "split": lambda x, num_heads: x[..., None, :, :],
            "merge": lambda heads: np.squeeze(heads, -3) if heads.shape[-3] == 1 else heads,
        },
        {
            "split": lambda x, num_heads: np.repeat(x[..., None, :, :], num_heads, axis=-3),
            "merge": lambda heads: heads[..., 0, :, :],
        },
    ),
)

heads_reshaped_without_transpose = Misconception(
    id="heads-reshaped-without-transpose",
    title="The heads are made by one reshape, which mixes up tokens: "
    "reshape to (n, h, d_head), then swap n and h.",
    formula=r"\text{split}(x)_{h,i,c} = x_{i,\; h \cdot d_{head} + c}",
    concept="heads",
    ways=({"split": _split_by_reshape},),
)

heads_merged_without_transpose = Misconception(
    id="heads-merged-without-transpose",
    title="The heads are merged by a reshape that mixes up tokens: swap n and h first.",
    formula=r"\text{merge}(H)_{i,\; h \cdot d_{head} + c} = H_{h,i,c}",
    concept="heads",
    ways=(
        {"merge": _merge_by_reshape},
        {
            "merge": lambda heads: np.matrix_transpose(heads).reshape(
                *heads.shape[:-3], heads.shape[-2], -1
            )
        },
    ),
)

heads_interleaved = Misconception(
    id="heads-interleaved",
    title="A head has every h-th column; it should have a block of d_head adjacent columns.",
    formula=r"\text{split}(x)_{h,i,c} = x_{i,\; h \cdot d_{head} + c}",
    concept="heads",
    ways=(
        {"split": _split_interleaved},
        {"merge": _merge_interleaved},
        {"split": _split_interleaved, "merge": _merge_interleaved},
    ),
)

heads_averaged = Misconception(
    id="heads-averaged",
    title="The heads are averaged; they should be concatenated.",
    formula=r"\text{concat}(H_1, \dots, H_h)\, W_O",
    concept="multi-head",
    ways=(
        {"merge": lambda heads: np.mean(heads, axis=-3)},
        {"merge": lambda heads: _repeat(np.mean(heads, axis=-3), heads.shape[-3])},
        {
            "merge": lambda heads: np.mean(heads, axis=-3),
            "output": lambda x, w_o: x @ w_o[: x.shape[-1]],
        },
    ),
)

heads_summed = Misconception(
    id="heads-summed",
    title="The heads are summed; they should be concatenated.",
    formula=r"\text{concat}(H_1, \dots, H_h)\, W_O",
    concept="multi-head",
    ways=(
        {"merge": lambda heads: np.sum(heads, axis=-3)},
        {"merge": lambda heads: _repeat(np.sum(heads, axis=-3), heads.shape[-3])},
        {
            "merge": lambda heads: np.sum(heads, axis=-3),
            "output": lambda x, w_o: x @ w_o[: x.shape[-1]],
        },
    ),
)

heads_in_reverse = Misconception(
    id="heads-in-reverse",
    title="The heads are in the wrong order.",
    formula=r"\text{split}(x)_{h,i,c} = x_{i,\; h \cdot d_{head} + c}",
    concept="heads",
    ways=(
        {"split": lambda x, num_heads: np.flip(split(x, num_heads), axis=-3)},
        {
            "merge": lambda heads: np.concatenate(
                [heads[..., i, :, :] for i in reversed(range(heads.shape[-3]))], axis=-1
            )
        },
    ),
)

# ── the output matrix ────────────────────────────────────────────────────────────────────────────


def _update_rows(rows):
    """Each head times the rows of w_o that `rows` gives, `(h, d_head, d_model)`."""

    def updates(heads, w_o):
        h, d_head = heads.shape[-3], heads.shape[-1]
        return heads @ rows(w_o, h, d_head)

    return {"updates": updates}


output_projection_missing = Misconception(
    id="output-projection-missing",
    title="The heads are returned without the output matrix W_O.",
    formula=r"\text{concat}(H_1, \dots, H_h)\, W_O",
    concept="output-matrix",
    ways=(
        {"output": lambda x, w_o: x},
        {"updates": lambda heads, w_o: heads},
    ),
)

output_transposed = Misconception(
    id="output-transposed",
    title="The output matrix is transposed: it is (h · d_head, d_model), used as x @ w.",
    formula=r"\text{concat}(H_1, \dots, H_h)\, W_O",
    concept="output-matrix",
    ways=(
        {"output": lambda x, w_o: x @ w_o.T},
        _update_rows(lambda w_o, h, d_head: w_o.T.reshape(h, d_head, -1)),
    ),
)

output_first_rows = Misconception(
    id="output-first-rows",
    title="Every head uses the first rows of W_O; head i should use rows from i · d_head on.",
    formula=r"H_i \, W_O^{(i)}",
    concept="output-matrix",
    ways=(_update_rows(lambda w_o, h, d_head: w_o[:d_head]),),
)

output_rows_interleaved = Misconception(
    id="output-rows-interleaved",
    title="Head i takes every h-th row of W_O; it should take a block of d_head rows.",
    formula=r"H_i \, W_O^{(i)}",
    concept="output-matrix",
    ways=(_update_rows(lambda w_o, h, d_head: w_o.reshape(d_head, h, -1).swapaxes(0, 1)),),
)

updates_summed = Misconception(
    id="updates-summed",
    title="The updates of all heads are summed; return each head's update separately.",
    formula=r"\sum_i H_i \, W_O^{(i)} = \text{concat}(H) \, W_O",
    concept="output-matrix",
    ways=({"updates": lambda heads, w_o: np.sum(_updates(heads, w_o), axis=-3)},),
)

updates_shared = Misconception(
    id="updates-shared",
    title="Every head has the same update, made of all heads; each should have its own.",
    formula=r"H_i \, W_O^{(i)}",
    concept="output-matrix",
    ways=(
        {
            "updates": lambda heads, w_o: np.repeat(
                np.mean(_updates(heads, w_o), axis=-3, keepdims=True), heads.shape[-3], axis=-3
            )
        },
        {
            "updates": lambda heads, w_o: np.repeat(
                np.sum(_updates(heads, w_o), axis=-3, keepdims=True), heads.shape[-3], axis=-3
            )
        },
    ),
)

updates_in_reverse = Misconception(
    id="updates-in-reverse",
    title="The blocks of W_O are applied to the heads in the wrong order.",
    formula=r"H_i \, W_O^{(i)}",
    concept="output-matrix",
    ways=(_update_rows(lambda w_o, h, d_head: w_o.reshape(h, d_head, -1)[::-1]),),
)


def _residual():
    """Remembers the tokens, and adds them to the output."""
    tokens = []

    def qkv(x, context, w_q, w_k, w_v, steps):
        tokens[:] = [x]
        return steps.project(x, w_q), steps.project(context, w_k), steps.project(context, w_v)

    return {"qkv": qkv, "output": lambda x, w_o: tokens[0] + x @ w_o}


residual_added = Misconception(
    id="residual-added",
    title="The tokens are added to the output; the residual connection is not part of attention.",
    formula=r"[\text{head}_1, \dots, \text{head}_h]\, W_O",
    concept="residual-update",
    ways=(_residual,),
)


def _mean_of_heads(array):
    return np.repeat(np.mean(array, axis=-3, keepdims=True), array.shape[-3], axis=-3)


scores_averaged_over_heads = Misconception(
    id="scores-averaged-over-heads",
    title="The heads share one pattern: their scores or weights are averaged over the heads.",
    formula=r"\text{head}_i = \text{softmax}\left(\frac{Q_i K_i^T}{\sqrt{d_{head}}}\right) V_i",
    concept="multi-head",
    ways=(
        {"scores": lambda q, k: _mean_of_heads(q @ np.matrix_transpose(k))},
        {"aggregate": lambda weights, v: _mean_of_heads(weights) @ v},
    ),
)

HEADS = (
    heads_reshaped_without_transpose,
    heads_merged_without_transpose,
    heads_interleaved,
    heads_ignored,
    heads_averaged,
    heads_summed,
    heads_in_reverse,
)
