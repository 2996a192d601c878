# backend: torch
import math

from torch import Tensor
from torch.nn import functional


def block(
    x: Tensor,
    gain_1: Tensor,
    bias_1: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    w_o: Tensor,
    gain_2: Tensor,
    bias_2: Tensor,
    w_1: Tensor,
    b_1: Tensor,
    w_2: Tensor,
    b_2: Tensor,
    num_heads: int,
    mask: Tensor | None = None,
) -> Tensor:
    """Add attention of the normalised stream to it, then the MLP of the normalised sum."""
    width = x.shape[-1:]
    rows = functional.layer_norm(x, width, gain_1, bias_1)
    x = x + attend(rows, (w_q, w_k, w_v), num_heads, mask) @ w_o
    rows = functional.layer_norm(x, width, gain_2, bias_2)
    return x + functional.gelu(rows @ w_1 + b_1, approximate="tanh") @ w_2 + b_2


def attend(
    rows: Tensor, projections: tuple[Tensor, ...], num_heads: int, mask: Tensor | None
) -> Tensor:
    """Return the heads' results side by side: `(..., n, d)`."""
    q, k, v = (
        (rows @ w).unflatten(-1, (num_heads, -1)).transpose(-3, -2) for w in projections
    )  # (..., h, n, d_head)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (..., h, n, n)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return (scores.softmax(dim=-1) @ v).transpose(-3, -2).flatten(start_dim=-2)
