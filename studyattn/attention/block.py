"""A block of a transformer: attention and MLP, each added to the stream (Radford et al. 2019)."""

from __future__ import annotations

from studyattn.attention.feed_forward import gelu_mlp
from studyattn.attention.heads import multi_head_attention
from studyattn.attention.normalisation import layer_norm
from studyattn.attention.steps import STEPS, Array, Steps


def block(
    x: Array,
    gain_1: Array,
    bias_1: Array,
    w_q: Array,
    w_k: Array,
    w_v: Array,
    w_o: Array,
    gain_2: Array,
    bias_2: Array,
    w_1: Array,
    b_1: Array,
    w_2: Array,
    b_2: Array,
    num_heads: int,
    mask: Array | None = None,
    *,
    steps: Steps = STEPS,
) -> Array:
    """Return the stream after the block: `(..., n, d)` to `(..., n, d)`.

    A layer norm with `gain_1`, `bias_1` `(d,)` is before attention with `w_q` … `w_o` `(d, d)`, one
    with `gain_2`, `bias_2` before the MLP with `w_1` `(d, f)`, `b_1` `(f,)`, `w_2` `(f, d)`, `b_2`
    `(d,)`. `mask` is `(n, n)`.
    """

    def norm_1(rows: Array) -> Array:
        return layer_norm(rows, gain_1, bias_1, steps=steps)

    def attend(rows: Array) -> Array:
        return multi_head_attention(rows, w_q, w_k, w_v, w_o, num_heads, mask, steps=steps)

    def norm_2(rows: Array) -> Array:
        return layer_norm(rows, gain_2, bias_2, steps=steps)

    def transform(rows: Array) -> Array:
        return gelu_mlp(rows, w_1, b_1, w_2, b_2, steps=steps)

    return steps.in_turn(x, (norm_1, attend), (norm_2, transform), steps.add_part)
