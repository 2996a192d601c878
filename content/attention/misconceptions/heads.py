"""Mistakes with projections, with many heads, and with attention from one sequence to another."""

import numpy as np

from studyattn.attention import STEPS, grouped_query_attention, trace_head
from studyattn.attention.steps import split
from studyattn.attention.steps import updates as _updates
from studyattn.grading.misconception import Misconception

# ── projections ──────────────────────────────────────────────────────────────────────────────────


def _one_matrix(choose):
    """All three projections through the matrix that `choose` takes of w_q, w_k, w_v."""

    def qkv(x, context, w_q, w_k, w_v, steps):
        w = choose(w_q, w_k, w_v)
        return steps.project(x, w), steps.project(context, w), steps.project(context, w)

    return {"qkv": qkv}


def _from(queries, keys, values):
    """Where queries, keys and values are taken from, each `x` or `context`."""

    def qkv(x, context, w_q, w_k, w_v, steps):
        source = {"x": x, "context": context}
        return (
            steps.project(source[queries], w_q),
            steps.project(source[keys], w_k),
            steps.project(source[values], w_v),
        )

    return {"qkv": qkv}


def _projected(order):
    """The matrices in another order."""

    def qkv(x, context, w_q, w_k, w_v, steps):
        first, second, third = ({"q": w_q, "k": w_k, "v": w_v}[name] for name in order)
        return (
            steps.project(x, first),
            steps.project(context, second),
            steps.project(context, third),
        )

    return {"qkv": qkv}


def _unprojected(x, context, w_q, w_k, w_v, steps):
    return x, context, context


def _scaled_in_trace(x, w_q, w_k, w_v, *, steps=STEPS):
    q, k, v, raw, weights, mixed = trace_head(x, w_q, w_k, w_v, steps=steps)
    return q, k, v, steps.scale(raw, q.shape[-1]), weights, mixed


projection_transposed = Misconception(
    id="projection-transposed",
    title="The weights are transposed before they are used: they are (d_in, d_out), as in x @ w.",
    formula=r"Q = X W_Q",
    concept="projections",
    ways=(
        {"project": lambda x, w: x @ w.T},
        {"project": lambda x, w: x @ w.T, "output": lambda x, w: x @ w.T},
        {"low_rank": lambda x, down, up: (x @ up.T) @ down.T},
        {
            "project": lambda x, w: x @ w.T,
            "low_rank": lambda x, down, up: (x @ up.T) @ down.T,
        },
    ),
)

projection_shared = Misconception(
    id="projection-shared",
    title="One projection is used for queries, keys and values; each has its own.",
    formula=r"Q = X W_Q, \; K = X W_K, \; V = X W_V",
    concept="projections",
    ways=(
        _one_matrix(lambda w_q, w_k, w_v: w_q),
        _one_matrix(lambda w_q, w_k, w_v: w_k),
        _one_matrix(lambda w_q, w_k, w_v: w_v),
        _projected("qqv"),
        _projected("kkv"),
    ),
)

projections_in_wrong_order = Misconception(
    id="projections-in-wrong-order",
    title="Two of the projections have changed places.",
    formula=r"Q = X W_Q, \; K = X W_K, \; V = X W_V",
    concept="projections",
    ways=(_projected("qvk"), _projected("vkq"), _projected("kvq"), _projected("vqk")),
)

projection_missing = Misconception(
    id="projection-missing",
    title="The tokens are used as they are: nothing is projected.",
    formula=r"Q = X W_Q, \; K = X W_K, \; V = X W_V",
    concept="projections",
    ways=({"qkv": _unprojected},),
)

values_not_projected = Misconception(
    id="values-not-projected",
    title="The weights mix the tokens themselves, not their values X W_V.",
    formula=r"V = X W_V",
    concept="projections",
    ways=(
        {
            "qkv": lambda x, context, w_q, w_k, w_v, steps: (
                steps.project(x, w_q),
                steps.project(context, w_k),
                context,
            )
        },
    ),
)

scores_scaled_in_trace = Misconception(
    id="scores-scaled-in-trace",
    title="The scores that are returned are scaled; the raw ones are asked for.",
    formula=r"S = Q K^T, \; P = \text{softmax}\left(\frac{S}{\sqrt{d}}\right)",
    concept="worked-example",
    ways=({"trace_head": _scaled_in_trace},),
)

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
    title="There is one head only, as wide as all of them together.",
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
    title="The heads are merged by one reshape, which mixes up tokens: swap n and h first.",
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
    title="Head i takes every h-th column; it owns a block of d_head columns side by side.",
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
    title="The heads are averaged; they are put side by side.",
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
    title="The heads are summed; they are put side by side.",
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
    title="The heads stand in the wrong order.",
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
    title="The merged heads are returned without the output matrix W_O.",
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
    title="Every head uses the first rows of W_O; head i has the rows i · d_head and after.",
    formula=r"H_i \, W_O^{(i)}",
    concept="output-matrix",
    ways=(_update_rows(lambda w_o, h, d_head: w_o[:d_head]),),
)

output_rows_interleaved = Misconception(
    id="output-rows-interleaved",
    title="Head i takes every h-th row of W_O; it owns a block of d_head rows.",
    formula=r"H_i \, W_O^{(i)}",
    concept="output-matrix",
    ways=(_update_rows(lambda w_o, h, d_head: w_o.reshape(d_head, h, -1).swapaxes(0, 1)),),
)

updates_summed = Misconception(
    id="updates-summed",
    title="The updates of all heads are summed; what each head adds is asked for.",
    formula=r"\sum_i H_i \, W_O^{(i)} = \text{concat}(H) \, W_O",
    concept="output-matrix",
    ways=({"updates": lambda heads, w_o: np.sum(_updates(heads, w_o), axis=-3)},),
)

updates_shared = Misconception(
    id="updates-shared",
    title="Every head is given an equal share of the whole update; each adds its own.",
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
    title="The blocks of W_O meet the heads in the wrong order.",
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

# ── groups of query heads ────────────────────────────────────────────────────────────────────────

groups_tiled = Misconception(
    id="groups-tiled",
    title="Key heads are tiled: query head i uses key head i mod h_kv, not i // (h / h_kv).",
    formula=r"j = \lfloor i \cdot h_{kv} / h \rfloor",
    concept="grouped-query",
    ways=(
        {"group": lambda x, num_heads: np.concatenate([x] * (num_heads // x.shape[-3]), axis=-3)},
    ),
)

groups_first_only = Misconception(
    id="groups-first-only",
    title="Every query head uses the first key head.",
    formula=r"j = \lfloor i \cdot h_{kv} / h \rfloor",
    concept="grouped-query",
    ways=({"group": lambda x, num_heads: x[..., :1, :, :]},),
)

groups_averaged = Misconception(
    id="groups-averaged",
    title="The key heads are averaged into one.",
    formula=r"j = \lfloor i \cdot h_{kv} / h \rfloor",
    concept="grouped-query",
    ways=({"group": lambda x, num_heads: np.mean(x, axis=-3, keepdims=True)},),
)


def _grouped(keys, values):
    """Keys and values each spread over the query heads in a way of their own."""

    def grouped_query_attention(q, k, v, *, steps=STEPS):
        h = q.shape[-3]
        q, k, v = steps.roles(q, keys(k, h, steps), values(v, h, steps))
        weights = steps.weigh(steps.scores(q, k), q.shape[-1], None, steps)
        return steps.aggregate(weights, v)

    return {"grouped_query_attention": grouped_query_attention}


def _right(x, num_heads, steps):
    return steps.group(x, num_heads)


def _tiled(x, num_heads, steps):
    return np.concatenate([x] * (num_heads // x.shape[-3]), axis=-3)


groups_tiled_once = Misconception(
    id="groups-tiled-once",
    title="Of keys and values only one is repeated for neighbours; the other is tiled.",
    formula=r"j = \lfloor i \cdot h_{kv} / h \rfloor",
    concept="grouped-query",
    ways=(_grouped(_right, _tiled), _grouped(_tiled, _right)),
)


def _queries_averaged(q, k, v, *, steps=STEPS):
    shape = (q.shape[0], k.shape[-3], -1, *q.shape[-2:])
    size = q.shape[-3] // k.shape[-3]
    means = np.mean(q.reshape(shape), axis=2)  # (b, h_kv, m, d)
    return grouped_query_attention(np.repeat(means, size, axis=-3), k, v, steps=steps)


groups_queries_averaged = Misconception(
    id="groups-queries-averaged",
    title="The queries of a group are averaged; each has a result of its own.",
    formula=r"O_i = \text{softmax}\left(\frac{Q_i K_j^T}{\sqrt{d}}\right) V_j",
    concept="grouped-query",
    ways=({"grouped_query_attention": _queries_averaged},),
)

# ── from one sequence to another ─────────────────────────────────────────────────────────────────

cross_attends_to_itself = Misconception(
    id="cross-attends-to-itself",
    title="Keys and values come from x: it attends to itself, not to the context.",
    formula=r"Q = X W_Q, \; K = C W_K, \; V = C W_V",
    concept="cross-attention",
    ways=(_from("x", "x", "x"), _from("context", "context", "context")),
)

cross_roles_swapped = Misconception(
    id="cross-roles-swapped",
    title="The context asks and x answers; it is the other way round.",
    formula=r"Q = X W_Q, \; K = C W_K, \; V = C W_V",
    concept="cross-attention",
    ways=(_from("context", "x", "x"),),
)

cross_values_from_x = Misconception(
    id="cross-values-from-x",
    title="Only the keys come from the context; the values come from x.",
    formula=r"V = C W_V",
    concept="cross-attention",
    ways=(_from("x", "context", "x"),),
)

cross_keys_from_x = Misconception(
    id="cross-keys-from-x",
    title="Only the values come from the context; the keys come from x.",
    formula=r"K = C W_K",
    concept="cross-attention",
    ways=(_from("x", "x", "context"),),
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

PROJECTIONS = (
    projection_transposed,
    projection_shared,
    projections_in_wrong_order,
    projection_missing,
    values_not_projected,
)

CROSS = (
    cross_attends_to_itself,
    cross_roles_swapped,
    cross_values_from_x,
    cross_keys_from_x,
)
