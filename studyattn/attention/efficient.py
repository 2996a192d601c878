"""Attention that costs less: linear, blockwise, and through matrices of low rank."""

from __future__ import annotations

import math

from array_api_compat import array_namespace

from studyattn.attention.steps import STEPS, Array, Steps


def linear_attention(q: Array, k: Array, v: Array, *, steps: Steps = STEPS) -> Array:
    """Return φ(q) (φ(k)ᵀ v) / φ(q) Σ φ(k), with φ = elu + 1 (Katharopoulos et al. 2020).

    `(..., m, d)`, `(..., n, d)`, `(..., n, d_v)` to `(..., m, d_v)`. The brackets make it O(n):
    keys and values meet first, and nothing is m × n.
    """
    xp = array_namespace(q)
    q, k, v = steps.roles(q, k, v)
    q, k = steps.feature(q), steps.feature(k)
    state = xp.matrix_transpose(k) @ v  # (..., d, d_v)
    total = xp.sum(k, axis=-2)[..., None]  # (..., d, 1)
    return steps.share(q @ state, q @ total)


def causal_linear_attention(q: Array, k: Array, v: Array, *, steps: Steps = STEPS) -> Array:
    """Return the linear attention of each position to itself and those before it.

    `(..., n, d)`, `(..., n, d)`, `(..., n, d_v)` to `(..., n, d_v)`. The sums over keys become
    running sums; nothing is n × n.
    """
    xp = array_namespace(q)
    q, k, v = steps.roles(q, k, v)
    q, k = steps.feature(q), steps.feature(k)
    state = steps.prefix(k[..., :, None] * v[..., None, :], -3)  # (..., n, d, d_v)
    total = steps.prefix(k, -2)  # (..., n, d)
    numerator = (q[..., None, :] @ state)[..., 0, :]  # (..., n, d_v)
    return steps.share(numerator, xp.sum(q * total, axis=-1, keepdims=True))


def flash_attention(
    q: Array, k: Array, v: Array, block_size: int, *, steps: Steps = STEPS
) -> Array:
    """Return exact attention, `block_size` keys at a time: `(..., m, d_v)`, nothing of size m × n.

    Numerator and denominator of the softmax are sums over keys; both are kept relative to the
    largest score so far and rescaled when a larger one comes (Milakov and Gimelshein 2018; Dao et
    al. 2022).
    """
    xp = array_namespace(q)
    q, k, v = steps.roles(q, k, v)
    peak = xp.sum(q, axis=-1, keepdims=True) * 0.0 - math.inf  # (..., m, 1)
    numerator, denominator = 0.0, 0.0
    for start in range(0, k.shape[-2], block_size):
        block = slice(start, start + block_size)
        scores = steps.scale(steps.scores(q, k[..., block, :]), q.shape[-1])  # (..., m, block)
        new_peak = steps.running_peak(peak, scores)
        exponentials = xp.exp(scores - new_peak)
        numerator = steps.rescale(numerator, peak, new_peak) + exponentials @ v[..., block, :]
        denominator = steps.rescale(denominator, peak, new_peak) + xp.sum(
            exponentials, axis=-1, keepdims=True
        )
        peak = new_peak
    return steps.share(numerator, denominator)


def low_rank_value(x: Array, value_down: Array, value_up: Array, *, steps: Steps = STEPS) -> Array:
    """Return x @ (value_down @ value_up), `(..., n, d_model)`, without forming that matrix.

    `x` `(..., n, d_model)`, `value_down` `(d_model, d_head)`, `value_up` `(d_head, d_model)`.
    """
    return steps.low_rank(x, value_down, value_up)


def lora_linear(
    x: Array, w: Array, a: Array, b: Array, alpha: float, *, steps: Steps = STEPS
) -> Array:
    """Return x w + (α / r) (x a) b: a frozen `w` and a trained update of rank r (Hu et al. 2021).

    `(..., d_in)`, `(d_in, d_out)`, `(d_in, r)`, `(r, d_out)` to `(..., d_out)`.
    """
    return steps.project(x, w) + steps.lora_scale(alpha, a.shape[-1]) * steps.low_rank(x, a, b)
