# backend: torch
# mistake: none
# style: one condition
import math

import torch
from torch import Tensor


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
        q = self.split(x @ self.w_q)  # (b, h, t, d_head)
        self.keys = extend(self.keys, self.split(x @ self.w_k))
        self.values = extend(self.values, self.split(x @ self.w_v))

        t, n = q.shape[-2], self.keys.shape[-2]
        allowed = torch.ones(t, n, dtype=torch.bool, device=x.device).tril(diagonal=max(n - t, 0))
        scores = q @ self.keys.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (b, h, t, n)
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        heads = weights @ self.values  # (b, h, t, d_v)
        return heads.transpose(1, 2).flatten(start_dim=2) @ self.w_o

    def split(self, x: Tensor) -> Tensor:
        """(b, t, h * d) to (b, h, t, d)."""
        b, t, width = x.shape
        return x.reshape(b, t, self.num_heads, width // self.num_heads).transpose(1, 2)


def extend(past: Tensor | None, new: Tensor) -> Tensor:
    """What was cached, followed by what is new, along the tokens."""
    return (new if past is None else torch.cat([past, new], dim=-2))[..., -1024:, :]
