"""The steps of attention, one function each, on any library of the array API standard.

The other modules of this package combine these steps. `Steps` names them all, so that one of them
can be replaced while the others stay as they are: this is how the grader describes a mistake.

Shapes: `m` queries, `n` keys, `d` their width, `d_v` the width of a value, `h` heads; `...` any
leading axes. Weights are `(d_in, d_out)`, used as `x @ w`. A boolean mask says True = may attend.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from array_api_compat import array_namespace, device

from studyattn.attention.block_steps import (
    Part,
    Rows,
    add_part,
    bend,
    centre,
    in_turn,
    mean_square,
    narrow,
    open_gate,
    root,
    shift,
    stretch,
    swish,
    widen,
)

Array = Any
"""A numpy or torch array; the standard has no type for it yet."""

Cached = tuple[Array, Array]
"""Keys and values of all tokens seen, `(b, h, n, d_head)` each."""


# ── from tokens to queries, keys and values ──────────────────────────────────────────────────────


def project(x: Array, w: Array) -> Array:
    """x @ w: `(..., n, d_in)`, `(d_in, d_out)` to `(..., n, d_out)`."""
    return x @ w


def qkv(
    x: Array, context: Array, w_q: Array, w_k: Array, w_v: Array, steps: Steps
) -> tuple[Array, Array, Array]:
    """Queries from `x` `(..., m, d)`; keys and values from `context` `(..., n, d_context)`."""
    return steps.project(x, w_q), steps.project(context, w_k), steps.project(context, w_v)


def roles(q: Array, k: Array, v: Array) -> tuple[Array, Array, Array]:
    """Return who asks, who answers and what is passed on: q, k and v in their own roles."""
    return q, k, v


def split(x: Array, num_heads: int) -> Array:
    """`(..., n, h * d_head)` to `(..., h, n, d_head)`: head i has columns i*d_head:(i+1)*d_head."""
    xp = array_namespace(x)
    *batch, n, width = x.shape
    heads = xp.reshape(x, (*batch, n, num_heads, width // num_heads))  # (..., n, h, d_head)
    return _swap(heads, -3, -2)


def merge(heads: Array) -> Array:
    """`(..., h, n, d_head)` to `(..., n, h * d_head)`: the heads side by side."""
    xp = array_namespace(heads)
    *batch, h, n, d_head = heads.shape
    return xp.reshape(_swap(heads, -3, -2), (*batch, n, h * d_head))


def output(x: Array, w_o: Array) -> Array:
    """Return what attention adds to the stream: `(..., n, h * d_head) @ (h * d_head, d_model)`."""
    return x @ w_o


def updates(heads: Array, w_o: Array) -> Array:
    """Return what each head adds: head i times its own rows of `w_o`, `(..., h, n, d_model)`."""
    xp = array_namespace(heads)
    *_, h, _n, d_head = heads.shape
    return heads @ xp.reshape(w_o, (h, d_head, w_o.shape[-1]))


def group(x: Array, num_heads: int) -> Array:
    """Keys or values `(b, h_kv, n, d)` for `num_heads` query heads: i has i // (h / h_kv)."""
    xp = array_namespace(x)
    return xp.repeat(x, num_heads // x.shape[-3], axis=-3)


# ── from queries and keys to weights ─────────────────────────────────────────────────────────────


def scores(q: Array, k: Array) -> Array:
    """q kᵀ: `(..., m, d)`, `(..., n, d)` to `(..., m, n)`."""
    return q @ array_namespace(k).matrix_transpose(k)


def scale(scores: Array, width: int) -> Array:
    """Divide by √d, so that the spread of the scores does not grow with the width d."""
    return scores / math.sqrt(width)


def scale_by(scores: Array, factor: float, width: int) -> Array:
    """Multiply by a factor that is given in the place of 1/√d; `width` is d, for mistakes."""
    return scores * factor


def mask(scores: Array, allowed: Array) -> Array:
    """Set the scores to −∞ where a query may not attend, before the softmax."""
    xp = array_namespace(scores)
    return xp.where(allowed, scores, -math.inf)


def normalise(scores: Array) -> Array:
    """Return the softmax over the keys, the last axis.

    The largest score is subtracted first, so that no exponential overflows. A row of only −∞ gives
    zeros.
    """
    xp = array_namespace(scores)
    peak = xp.max(scores, axis=-1, keepdims=True)
    peak = xp.where(peak == -math.inf, 0.0, peak)
    exponentials = xp.exp(scores - peak)
    total = xp.sum(exponentials, axis=-1, keepdims=True)
    return exponentials / xp.where(total == 0, 1.0, total)


def weigh(scores: Array, width: int, allowed: Array | None, steps: Steps) -> Array:
    """Turn scores into weights, in this order: scale, mask, normalise."""
    scaled = steps.scale(scores, width)
    return steps.normalise(scaled if allowed is None else steps.mask(scaled, allowed))


def aggregate(weights: Array, v: Array) -> Array:
    """Return the weighted mean of the values: `(..., m, n)`, `(..., n, d_v)` to `(..., m, d_v)`."""
    return weights @ v


# ── who may attend to whom ───────────────────────────────────────────────────────────────────────


def causal(m: int, n: int, like: Array) -> Array:
    """`(m, n)`, True where the key is not after the query; the m queries are the last of n."""
    xp = array_namespace(like)
    query = xp.arange(m, device=device(like))[:, None] + (n - m)  # positions among all n
    key = xp.arange(n, device=device(like))
    return key <= query


def window(m: int, n: int, width: int, like: Array) -> Array:
    """`(m, n)`, True for the last `width` keys that are not after the query, its own among them."""
    xp = array_namespace(like)
    query = xp.arange(m, device=device(like))[:, None] + (n - m)  # positions among all n
    key = xp.arange(n, device=device(like))
    return (key <= query) & (key > query - width)


def padding(lengths: Array, m: int, n: int) -> Array:
    """`(b, 1, n)`, True for the first `lengths[b]` keys, whatever the query."""
    xp = array_namespace(lengths)
    return xp.arange(n, device=device(lengths)) < lengths[:, None, None]


def spread(context_mask: Array, num_heads: int) -> Array:
    """`(b, n)` to `(b, 1, 1, n)`: the same for every head and query of its batch entry."""
    return context_mask[:, None, None, :]


# ── positions that turn queries and keys ────────────────────────────────────────────────────────


def speeds(width: int, base: float, like: Array) -> Array:
    """Return the angle by which each pair turns from one position to the next: base^(−2i/d)."""
    xp = array_namespace(like)
    pair = xp.arange(width // 2, dtype=xp.float64, device=device(like))
    return base ** (-2.0 * pair / width)


def angles(positions: Array, speeds: Array) -> Array:
    """`(n,)`, `(d/2,)` to `(n, d/2)`: the position times the speed of the pair."""
    return positions[:, None] * speeds


def turn(x: Array, angles: Array) -> Array:
    """Rotate the neighbours 2i and 2i + 1 of each row: `(..., n, d)`, `(n, d/2)`."""
    xp = array_namespace(x)
    cos, sin = xp.astype(xp.cos(angles), x.dtype), xp.astype(xp.sin(angles), x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., n, d/2)
    turned = (first * cos - second * sin, first * sin + second * cos)
    return xp.reshape(xp.stack(turned, axis=-1), x.shape)


# ── positions that lower scores ─────────────────────────────────────────────────────────────────


def slopes(num_heads: int, like: Array) -> Array:
    """Return by how much each head's scores fall for each place back: 2^(−8i/h), i = 1, …, h."""
    xp = array_namespace(like)
    head = xp.arange(1, num_heads + 1, dtype=xp.float64, device=device(like))
    return 2.0 ** (-8.0 * head / num_heads)


def distances(m: int, n: int, like: Array) -> Array:
    """`(m, n)`: how many places the key is before the query; the m queries are the last of n."""
    xp = array_namespace(like)
    query = xp.arange(m, device=device(like))[:, None] + (n - m)  # positions among all n
    return query - xp.arange(n, device=device(like))


def lower(scores: Array, slopes: Array, distances: Array) -> Array:
    """Subtract slope · distance: `(..., h, m, n)`, `(h,)`, `(m, n)`, before the softmax."""
    bias = slopes[:, None, None] * distances  # (h, m, n)
    return scores - array_namespace(scores).astype(bias, scores.dtype)


# ── embeddings and their positions ──────────────────────────────────────────────────────────────


def look_up(table: Array, tokens: Array) -> Array:
    """Return the row of each token: `(vocabulary, d)`, `(..., n)` to `(..., n, d)`."""
    return table[tokens]


def places(positions: Array, start: int, n: int) -> Array:
    """Return the rows of `n` positions from `start` on: `(context, d)` to `(n, d)`."""
    return positions[start : start + n]


def placed(rows: Array, at: Array) -> Array:
    """Add its position to each row: `(..., n, d)`, `(n, d)`."""
    return rows + at


def waves(angles: Array) -> Array:
    """`(n, d/2)` to `(n, d)`: the sine and the cosine of each angle as neighbours."""
    xp = array_namespace(angles)
    both = xp.stack((xp.sin(angles), xp.cos(angles)), axis=-1)  # (n, d/2, 2)
    return xp.reshape(both, (angles.shape[0], 2 * angles.shape[1]))


# ── a cache that grows ───────────────────────────────────────────────────────────────────────────


def extend(past: Cached | None, new: Cached) -> Cached:
    """Return the keys and values to attend to now: those seen before, then the new ones."""
    if past is None:
        return new
    xp = array_namespace(new[0])
    return (xp.concat((past[0], new[0]), axis=-2), xp.concat((past[1], new[1]), axis=-2))


def keep(seen: Cached, new: Cached) -> Cached:
    """Return what is remembered for the next call: everything seen, including `new`."""
    return seen


class Memory:
    """The keys and values that one cache has seen."""

    def __init__(self) -> None:
        self.seen: Cached | None = None


def forget(memory: Memory) -> None:
    """Forget everything seen."""
    memory.seen = None


# ── linear attention and the online softmax ──────────────────────────────────────────────────────


def feature(x: Array) -> Array:
    """elu(x) + 1, which is positive: x + 1 above zero, eˣ below (Katharopoulos et al. 2020)."""
    xp = array_namespace(x)
    return xp.where(x > 0, x + 1.0, xp.exp(xp.where(x > 0, 0.0, x)))


def prefix(x: Array, axis: int) -> Array:
    """Return the sums up to and including each position of `axis`."""
    return array_namespace(x).cumulative_sum(x, axis=axis)


def share(numerator: Array, denominator: Array) -> Array:
    """Divide by the sum of the weights, so that they sum to 1."""
    return numerator / denominator


def running_peak(peak: Array, scores: Array) -> Array:
    """Return the largest score of each row so far: `(..., m, 1)`."""
    xp = array_namespace(scores)
    return xp.maximum(peak, xp.max(scores, axis=-1, keepdims=True))


def rescale(total: Array, old_peak: Array, new_peak: Array) -> Array:
    """Turn a sum of e^(s − old peak) into a sum of e^(s − new peak)."""
    return total * array_namespace(old_peak).exp(old_peak - new_peak)


# ── two factors in place of a matrix ─────────────────────────────────────────────────────────────


def low_rank(x: Array, down: Array, up: Array) -> Array:
    """Return (x @ down) @ up, which never forms the large matrix `down @ up`."""
    return (x @ down) @ up


def lora_scale(alpha: float, rank: int) -> float:
    """Return the factor of the update, α / r (Hu et al. 2021)."""
    return alpha / rank


# ── backwards through the softmax ────────────────────────────────────────────────────────────────


def normalise_backward(weights: Array, grad: Array) -> Array:
    """Return the gradient of the scores: w ∘ (g − Σ w ∘ g), sums over keys, for weights w."""
    xp = array_namespace(weights)
    return weights * (grad - xp.sum(weights * grad, axis=-1, keepdims=True))


def scale_backward(grad: Array, width: int) -> Array:
    """Return the gradient of the unscaled scores."""
    return grad / math.sqrt(width)


def value_backward(weights: Array, grad_output: Array) -> Array:
    """Return the gradient of the values: each gets what every query took from it."""
    return array_namespace(weights).matrix_transpose(weights) @ grad_output


# ── counting ─────────────────────────────────────────────────────────────────────────────────────


def count_qkv(d_model: int, d_head: int) -> tuple[int, int, int]:
    """Count the parameters of the query, key and value matrix of one head."""
    return d_model * d_head, d_model * d_head, d_model * d_head


def count_output(d_model: int, d_head: int) -> int:
    """Count the parameters of one head's part of the output matrix."""
    return d_head * d_model


def count_all(head: int, num_heads: int, num_layers: int) -> int:
    """Count the parameters of all heads of all layers."""
    return head * num_heads * num_layers


@dataclass(frozen=True, slots=True)
class Steps:
    """All steps. `dataclasses.replace(STEPS, scale=...)` gives attention with another scale."""

    project: Callable[[Array, Array], Array] = project
    qkv: Callable[[Array, Array, Array, Array, Array, Steps], tuple[Array, Array, Array]] = qkv
    roles: Callable[[Array, Array, Array], tuple[Array, Array, Array]] = roles
    split: Callable[[Array, int], Array] = split
    merge: Callable[[Array], Array] = merge
    output: Callable[[Array, Array], Array] = output
    updates: Callable[[Array, Array], Array] = updates
    group: Callable[[Array, int], Array] = group
    scores: Callable[[Array, Array], Array] = scores
    scale: Callable[[Array, int], Array] = scale
    scale_by: Callable[[Array, float, int], Array] = scale_by
    mask: Callable[[Array, Array], Array] = mask
    normalise: Callable[[Array], Array] = normalise
    weigh: Callable[[Array, int, Array | None, Steps], Array] = weigh
    aggregate: Callable[[Array, Array], Array] = aggregate
    causal: Callable[[int, int, Array], Array] = causal
    window: Callable[[int, int, int, Array], Array] = window
    padding: Callable[[Array, int, int], Array] = padding
    spread: Callable[[Array, int], Array] = spread
    speeds: Callable[[int, float, Array], Array] = speeds
    angles: Callable[[Array, Array], Array] = angles
    turn: Callable[[Array, Array], Array] = turn
    slopes: Callable[[int, Array], Array] = slopes
    distances: Callable[[int, int, Array], Array] = distances
    lower: Callable[[Array, Array, Array], Array] = lower
    centre: Callable[[Array], Array] = centre
    mean_square: Callable[[Array], Array] = mean_square
    root: Callable[[Array, float], Array] = root
    stretch: Callable[[Array, Array], Array] = stretch
    shift: Callable[[Array, Array], Array] = shift
    bend: Callable[[Array], Array] = bend
    widen: Callable[[Array, Array, Array], Array] = widen
    narrow: Callable[[Array, Array, Array], Array] = narrow
    swish: Callable[[Array], Array] = swish
    open_gate: Callable[[Array, Array, Rows], Array] = open_gate
    add_part: Callable[[Array, Rows, Rows], Array] = add_part
    in_turn: Callable[[Array, Part, Part, Callable[[Array, Rows, Rows], Array]], Array] = in_turn
    look_up: Callable[[Array, Array], Array] = look_up
    places: Callable[[Array, int, int], Array] = places
    placed: Callable[[Array, Array], Array] = placed
    waves: Callable[[Array], Array] = waves
    extend: Callable[[Cached | None, Cached], Cached] = extend
    keep: Callable[[Cached, Cached], Cached] = keep
    memory: Callable[[], Memory] = Memory
    forget: Callable[[Memory], None] = forget
    feature: Callable[[Array], Array] = feature
    prefix: Callable[[Array, int], Array] = prefix
    share: Callable[[Array, Array], Array] = share
    running_peak: Callable[[Array, Array], Array] = running_peak
    rescale: Callable[[Array, Array, Array], Array] = rescale
    low_rank: Callable[[Array, Array, Array], Array] = low_rank
    lora_scale: Callable[[float, int], float] = lora_scale
    normalise_backward: Callable[[Array, Array], Array] = normalise_backward
    scale_backward: Callable[[Array, int], Array] = scale_backward
    value_backward: Callable[[Array, Array], Array] = value_backward
    count_qkv: Callable[[int, int], tuple[int, int, int]] = count_qkv
    count_output: Callable[[int, int], int] = count_output
    count_all: Callable[[int, int, int], int] = count_all


STEPS = Steps()
"""The reference: attention without a mistake."""


def _swap(x: Array, first: int, second: int) -> Array:
    """Swap two axes."""
    axes = list(range(x.ndim))
    axes[first], axes[second] = axes[second], axes[first]
    return array_namespace(x).permute_dims(x, tuple(axes))
