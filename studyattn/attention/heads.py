"""Many heads side by side (Vaswani et al. 2017, section 3.2.2), and the cache that decoding keeps.

`d_model` is the width of the stream. With `h` heads the projections are `(d_model, h * d_head)` and
the output matrix `(h * d_head, d_model)`; each head attends on its own columns.
"""

from __future__ import annotations

from studyattn.attention.scaled import masked_attention
from studyattn.attention.steps import STEPS, Array, Steps


def project_qkv(
    x: Array, w_q: Array, w_k: Array, w_v: Array, *, steps: Steps = STEPS
) -> tuple[Array, Array, Array]:
    """Return queries `(..., n, d)`, keys `(..., n, d)` and values `(..., n, d_v)` of the stream.

    `x` is `(..., n, d_model)`; `w_q`, `w_k` `(d_model, d)`; `w_v` `(d_model, d_v)`.
    """
    return steps.qkv(x, x, w_q, w_k, w_v, steps)


def split_heads(x: Array, num_heads: int, *, steps: Steps = STEPS) -> Array:
    """Split the last axis into heads: `(..., n, h * d_head)` to `(..., h, n, d_head)`."""
    return steps.split(x, num_heads)


def merge_heads(x: Array, *, steps: Steps = STEPS) -> Array:
    """Undo `split_heads`: `(..., h, n, d_head)` to `(..., n, h * d_head)`."""
    return steps.merge(x)


def multi_head_attention(
    x: Array,
    w_q: Array,
    w_k: Array,
    w_v: Array,
    w_o: Array,
    num_heads: int,
    mask: Array | None = None,
    *,
    steps: Steps = STEPS,
) -> Array:
    """Return self-attention with `num_heads` heads: `(..., n, d_model)` to `(..., n, d_model)`.

    `mask` broadcasts to the scores, `(..., h, n, n)`.
    """
    q, k, v = steps.qkv(x, x, w_q, w_k, w_v, steps)  # (..., n, h * d_head) each
    return _heads(q, k, v, w_o, num_heads, mask, steps)


def cross_attention(
    x: Array,
    context: Array,
    w_q: Array,
    w_k: Array,
    w_v: Array,
    w_o: Array,
    num_heads: int,
    context_mask: Array | None = None,
    *,
    steps: Steps = STEPS,
) -> Array:
    """Return the attention of `x` to `context`: `(b, m, d_model)`, `(b, n, d_context)` to
    `(b, m, d_model)`.

    `context_mask` `(b, n)` is True at the positions of the context that exist.
    """
    q, k, v = steps.qkv(x, context, w_q, w_k, w_v, steps)
    allowed = None if context_mask is None else steps.spread(context_mask, num_heads)
    return _heads(q, k, v, w_o, num_heads, allowed, steps)


def head_updates(heads: Array, w_o: Array, *, steps: Steps = STEPS) -> Array:
    """Return what each head adds to the stream: `(..., h, n, d_head)` to `(..., h, n, d_model)`.

    The sum over the heads is `merge_heads(heads) @ w_o`.
    """
    return steps.updates(heads, w_o)


def trace_head(
    x: Array, w_q: Array, w_k: Array, w_v: Array, *, steps: Steps = STEPS
) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Return every array on the way of one head: q, k, v, raw scores, weights, output.

    The scores are those before scaling, which worked examples show first.
    """
    q, k, v = steps.qkv(x, x, w_q, w_k, w_v, steps)
    asking, answering, passed_on = steps.roles(q, k, v)
    raw = steps.scores(asking, answering)  # (..., n, n)
    weights = steps.weigh(raw, q.shape[-1], None, steps)
    return q, k, v, raw, weights, steps.aggregate(weights, passed_on)


class CachedAttention:
    """Multi-head attention with a cache: takes a sequence piece by piece and recomputes nothing.

    A call with new tokens `(b, t, d_model)` returns their outputs `(b, t, d_model)`, causal over
    everything seen since it was made or reset.
    """

    def __init__(
        self,
        w_q: Array,
        w_k: Array,
        w_v: Array,
        w_o: Array,
        num_heads: int,
        *,
        steps: Steps = STEPS,
    ) -> None:
        self.w_q, self.w_k, self.w_v, self.w_o = w_q, w_k, w_v, w_o
        self.num_heads = num_heads
        self.steps = steps
        self.memory = steps.memory()

    def __call__(self, x: Array) -> Array:
        steps = self.steps
        q, k, v = (
            steps.split(part, self.num_heads)  # (b, h, t, d_head)
            for part in steps.qkv(x, x, self.w_q, self.w_k, self.w_v, steps)
        )
        seen = steps.extend(self.memory.seen, (k, v))  # (b, h, n, d_head) each
        self.memory.seen = steps.keep(seen, (k, v))
        allowed = steps.causal(q.shape[-2], seen[0].shape[-2], q)
        heads = masked_attention(q, *seen, allowed, steps=steps)
        return steps.output(steps.merge(heads), self.w_o)

    def reset(self) -> None:
        """Forget everything seen."""
        self.steps.forget(self.memory)


def _heads(
    q: Array, k: Array, v: Array, w_o: Array, num_heads: int, allowed: Array | None, steps: Steps
) -> Array:
    """Split, attend in every head, merge, project: to `(..., m, d_model)`."""
    heads = masked_attention(
        steps.split(q, num_heads),  # (..., h, m, d_head)
        steps.split(k, num_heads),  # (..., h, n, d_head)
        steps.split(v, num_heads),
        allowed,
        steps=steps,
    )
    return steps.output(steps.merge(heads), w_o)
