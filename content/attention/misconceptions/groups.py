"""Mistakes with groups of query heads, which share a key head."""

import numpy as np

from studyattn.attention import STEPS, grouped_query_attention
from studyattn.grading.misconception import Misconception

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
    title=(
        "Only the keys or only the values are repeated for neighboring heads; the others are tiled."
    ),
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
    title="The queries of a group are averaged; each should have its own result.",
    formula=r"O_i = \text{softmax}\left(\frac{Q_i K_j^T}{\sqrt{d}}\right) V_j",
    concept="grouped-query",
    ways=({"grouped_query_attention": _queries_averaged},),
)
