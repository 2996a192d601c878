"""Scaled dot-product attention, and who may attend to whom (Vaswani et al. 2017, section 3.2)."""

from __future__ import annotations

import dataclasses

from array_api_compat import array_namespace

from studyattn.attention.steps import STEPS, Array, Steps


def dot_product(a: Array, b: Array, *, steps: Steps = STEPS) -> Array:
    """Return the dot product of a vector with each row: `(d,)`, `(n, d)` to `(n,)`."""
    return steps.scores(a[None, :], b)[0, :]


def weighted_sum(weights: Array, values: Array, *, steps: Steps = STEPS) -> Array:
    """Return the rows of `values`, each times its weight, added up: `(n,)`, `(n, d)` to `(d,)`."""
    return steps.aggregate(weights[None, :], values)[0, :]


def softmax(x: Array, *, steps: Steps = STEPS) -> Array:
    """Return e^x / Σ e^x over the last axis, without overflow: `(..., n)` to `(..., n)`."""
    return steps.normalise(x)


def attend(q: Array, k: Array, v: Array, *, steps: Steps = STEPS) -> Array:
    """Return the attention of one query: `(d,)`, `(n, d)`, `(n, d_v)` to `(d_v,)`."""
    return _attention(q[None, :], k, v, None, steps)[0, :]


def attention(q: Array, k: Array, v: Array, *, steps: Steps = STEPS) -> Array:
    """Return softmax(q kᵀ / √d) v.

    `(..., m, d)`, `(..., n, d)`, `(..., n, d_v)` to `(..., m, d_v)`.
    """
    return _attention(q, k, v, None, steps)


def masked_attention(
    q: Array, k: Array, v: Array, mask: Array | None, *, steps: Steps = STEPS
) -> Array:
    """Return the attention to the keys that a boolean mask allows (True = may attend).

    The mask broadcasts to `(..., m, n)`. A query that may attend to nothing gets zeros.
    """
    return _attention(q, k, v, mask, steps)


def causal_attention(q: Array, k: Array, v: Array, *, steps: Steps = STEPS) -> Array:
    """Return the attention to no later key. The m ≤ n queries are the last of the n positions."""
    return _attention(q, k, v, steps.causal(q.shape[-2], k.shape[-2], q), steps)


def sliding_window_attention(
    q: Array, k: Array, v: Array, window: int, *, steps: Steps = STEPS
) -> Array:
    """Return the attention to the last `window` keys that are not later, the own one included.

    Shapes as in `causal_attention` (Beltagy et al. 2020; Jiang et al. 2023).
    """
    return _attention(q, k, v, steps.window(q.shape[-2], k.shape[-2], window, q), steps)


def alibi_attention(q: Array, k: Array, v: Array, *, steps: Steps = STEPS) -> Array:
    """Return causal attention whose scores fall with the distance, in each head by its own slope.

    `(..., h, m, d)`, `(..., h, n, d)`, `(..., h, n, d_v)`, m ≤ n, to `(..., h, m, d_v)` (Press et
    al. 2022).
    """
    m, n = q.shape[-2], k.shape[-2]
    slopes, distances = steps.slopes(q.shape[-3], q), steps.distances(m, n, q)

    def scale(scores: Array, width: int) -> Array:
        return steps.lower(steps.scale(scores, width), slopes, distances)

    return _attention(q, k, v, steps.causal(m, n, q), dataclasses.replace(steps, scale=scale))


def padded_attention(
    q: Array, k: Array, v: Array, lengths: Array, *, steps: Steps = STEPS
) -> Array:
    """Return the attention to the first `lengths[b]` keys of each sequence b.

    `(b, m, d)`, `(b, n, d)`, `(b, n, d_v)`, `(b,)` to `(b, m, d_v)`.
    """
    return _attention(q, k, v, steps.padding(lengths, q.shape[-2], k.shape[-2]), steps)


def grouped_query_attention(q: Array, k: Array, v: Array, *, steps: Steps = STEPS) -> Array:
    """Return the attention of h query heads that share h_kv key and value heads.

    `(b, h, m, d)`, `(b, h_kv, n, d)`, `(b, h_kv, n, d_v)` to `(b, h, m, d_v)`. Query head i uses
    key and value head i // (h / h_kv) (Ainslie et al. 2023).
    """
    num_heads = q.shape[-3]
    return _attention(q, steps.group(k, num_heads), steps.group(v, num_heads), None, steps)


def library_attention(
    q: Array,
    k: Array,
    v: Array,
    real: Array,
    scale: float | None = None,
    *,
    steps: Steps = STEPS,
) -> Array:
    """Return causal attention of heads that share keys, to keys that are real, by any scale.

    Shapes as in `grouped_query_attention`; `real` `(b, n)` is False for padding. The m ≤ n queries
    are the last positions. Scores are multiplied by `scale`, by 1/√d if there is none.
    """

    def scaled(scores: Array, width: int) -> Array:
        if scale is None:
            return steps.scale(scores, width)
        return steps.scale_by(scores, scale, width)

    h, m, n = q.shape[-3], q.shape[-2], k.shape[-2]
    allowed = steps.causal(m, n, q) & steps.spread(real, h)  # (b, 1, m, n)
    k, v = steps.group(k, h), steps.group(v, h)
    return _attention(q, k, v, allowed, dataclasses.replace(steps, scale=scaled))


def _attention(q: Array, k: Array, v: Array, allowed: Array | None, steps: Steps) -> Array:
    q, k, v = steps.roles(q, k, v)
    scores = steps.scores(q, k)  # (..., m, n)
    if allowed is not None:
        allowed = array_namespace(scores).broadcast_to(allowed, scores.shape)
    weights = steps.weigh(scores, q.shape[-1], allowed, steps)  # (..., m, n)
    return steps.aggregate(weights, v)  # (..., m, d_v)
