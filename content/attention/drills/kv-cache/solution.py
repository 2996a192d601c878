# backend: torch
import math

import torch
from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """(b, t, h * d) to (b, h, t, d)."""
    b, t, width = x.shape
    return x.reshape(b, t, num_heads, width // num_heads).transpose(1, 2)


def extend(past: Tensor | None, new: Tensor) -> Tensor:
    """What was cached, followed by what is new, along the tokens: (b, h, n, d); None is nothing."""
    return new if past is None else torch.cat([past, new], dim=-2)


def causal_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Causal attention of the last t of n positions: (b, h, t, d_v).

    q: (b, h, t, d_head)    k: (b, h, n, d_head)    v: (b, h, n, d_v)
    """
    t, n = q.shape[-2], k.shape[-2]
    allowed = torch.ones(t, n, dtype=torch.bool, device=q.device).tril(diagonal=n - t)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (b, h, t, n)
    return scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1) @ v


class CachedAttention:
    """Causal multi-head attention over a sequence that arrives piece by piece."""

    def __init__(self, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int) -> None:
        self.w_q, self.w_k, self.w_v, self.w_o = w_q, w_k, w_v, w_o
        self.num_heads = num_heads
        self.reset()

    def reset(self) -> None:
        """Forget everything seen so far."""
        self.keys: Tensor | None = None  # (b, h, n, d_head)
        self.values: Tensor | None = None  # (b, h, n, d_v)

    def __call__(self, x: Tensor) -> Tensor:
        """The outputs of the new tokens: (b, t, d_model) to (b, t, d_model)."""
        q, k, v = (split_heads(x @ w, self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        self.keys, self.values = extend(self.keys, k), extend(self.values, v)
        heads = causal_attention(q, self.keys, self.values)  # (b, h, t, d_v)
        return heads.transpose(1, 2).flatten(start_dim=2) @ self.w_o
