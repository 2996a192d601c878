"""All parts of a GPT and of a real model as PyTorch itself has them, beside the reference.

Weights are `(d_in, d_out)`, used as `x @ w`. Shapes: `b` sequences, `n` tokens, `width` features,
`h` heads of `d` features.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from studyattn.lm import model
from studyattn.lm.calls import Parts


def embed(tokens: Tensor, table: Tensor, positions: Tensor, start: int = 0) -> Tensor:
    """Return rows of `table` for `tokens` `(b, n)`, plus those of `positions` from `start` on."""
    return table[tokens] + positions[start : start + tokens.shape[-1]]  # (b, n, width)


def layer_norm(x: Tensor, gain: Tensor, bias: Tensor) -> Tensor:
    """Normalise each row of `x` `(..., width)` to mean 0 and variance 1 (Ba et al. 2016)."""
    return functional.layer_norm(x, (x.shape[-1],), gain, bias)


def gelu_mlp(x: Tensor, w_1: Tensor, b_1: Tensor, w_2: Tensor, b_2: Tensor) -> Tensor:
    """Widen, bend and narrow each row: `(..., width)` to `(..., width)`."""
    return functional.gelu(x @ w_1 + b_1, approximate="tanh") @ w_2 + b_2


def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    """Return the mean loss of predicting `tokens` `(b, n)` from `logits` `(b, n, characters)`.

    The logits at a position predict the next token.
    """
    return functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def adamw_step(  # noqa: PLR0917  # the symbols of the algorithm
    weights: Tensor,
    gradient: Tensor,
    mean: Tensor,
    square: Tensor,
    step: int,
    rate: float,
    beta_1: float = 0.9,
    beta_2: float = 0.999,
    epsilon: float = 1e-8,
    decay: float = 0.01,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the new weights, and the new running mean and square of their gradient.

    `step` counts from 1 (Loshchilov and Hutter 2019, algorithm 2).
    """
    mean = mean.lerp(gradient, 1 - beta_1)
    square = (square * beta_2).addcmul_(gradient, gradient, value=1 - beta_2)
    root = (square / (1 - beta_2**step)).sqrt_().add_(epsilon)
    moved = (weights * (1 - rate * decay)).addcdiv_(mean, root, value=-rate / (1 - beta_1**step))
    return moved, mean, square


def sample(logits: Tensor, uniform: float, temperature: float) -> int:
    """Return a character for `logits` `(characters,)`, chosen by a `uniform` number in [0, 1)."""
    shares = (logits / temperature).softmax(-1).cumsum(-1)  # (characters,)
    return int((shares < uniform * shares[-1]).sum().clamp(max=len(logits) - 1))


def multi_head_attention(x: Tensor, *given: Any) -> Tensor:
    """Return multi-head attention: rows, the four projections, heads and mask, `(b, n, width)`."""
    *projections, heads, mask = given
    w_q, w_k, w_v, w_o = projections
    split = (*x.shape[:-1], heads, x.shape[-1] // heads)
    q, k, v = ((x @ w).view(split).transpose(-3, -2) for w in (w_q, w_k, w_v))
    found = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    joined: Tensor = found.transpose(-3, -2).reshape(x.shape) @ w_o
    return joined


class Recomputed:
    """Attention to rows that come one after another: all of them are computed anew."""

    def __init__(self, *given: Any) -> None:
        """Take the four projections and the number of heads."""
        self._given = given
        self._seen: tuple[Tensor, ...] = ()

    def __call__(self, x: Tensor) -> Tensor:
        """Return what the new rows `(b, t, width)` find."""
        self._seen = (*self._seen, x)
        rows = torch.cat(self._seen, dim=-2)
        n = rows.shape[-2]
        return multi_head_attention(
            rows, *self._given, model.PLAIN_PARTS["causal_mask"](n, n, rows)
        )[..., -x.shape[-2] :, :]

    def reset(self) -> None:
        """Begin a new sequence."""
        self._seen = ()


# ── those of a real model ────────────────────────────────────────────────────────────────────────


def rms_norm(x: Tensor, gain: Tensor, eps: float) -> Tensor:
    """Divide each row by the root of its mean square (Zhang and Sennrich 2019)."""
    return functional.rms_norm(x, gain.shape, gain, eps)


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    """Widen, gate and narrow each row: `(..., width)` to `(..., width)` (Shazeer 2020)."""
    return (functional.silu(x @ w_gate) * (x @ w_up)) @ w_down


def rope(x: Tensor, positions: Tensor, base: float) -> Tensor:
    """Turn neighbouring pairs of `x` `(1, h, n, d)` as far as their position (Su et al. 2021)."""
    width = x.shape[-1]
    speeds = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)  # (d/2,)
    angles = positions[:, None] * speeds  # (n, d/2)
    pairs = torch.view_as_complex(x.double().view(*x.shape[:-1], -1, 2))
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2).float()


PLAIN_PARTS: Final[Parts] = {
    **model.PLAIN_PARTS,
    **{each.__name__: each for each in (embed, layer_norm, gelu_mlp, multi_head_attention)},
    **{each.__name__: each for each in (next_token_loss, adamw_step, sample)},
    **{each.__name__: each for each in (rms_norm, swiglu, rope)},
    "CachedAttention": Recomputed,
    "causal_attention": partial(functional.scaled_dot_product_attention, is_causal=True),
    "grouped_query_attention": partial(functional.scaled_dot_product_attention, enable_gqa=True),
}
"""All but the block, which a model puts together where no other is given."""
