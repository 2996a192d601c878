# backend: torch
import math

import torch
from torch import Tensor


class CachedAttention:
    """Keeps the tokens and nothing else: every call does the whole sequence anew."""

    def __init__(self, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int) -> None:
        self.w_q, self.w_k, self.w_v, self.w_o = w_q, w_k, w_v, w_o
        self.num_heads = num_heads
        self.reset()

    def reset(self) -> None:
        """Forget everything seen so far."""
        self.tokens: Tensor | None = None  # (b, n, d_model)

    def __call__(self, x: Tensor) -> Tensor:
        """The outputs of the new tokens: (b, t, d_model) to (b, t, d_model)."""
        seen = x if self.tokens is None else torch.cat([self.tokens, x], dim=-2)
        self.tokens = seen
        q, k, v = (self.split(seen @ w) for w in (self.w_q, self.w_k, self.w_v))

        n = seen.shape[-2]
        allowed = torch.ones(n, n, dtype=torch.bool, device=x.device).tril()
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (b, h, n, n)
        heads = scores.masked_fill(~allowed, -math.inf).softmax(dim=-1) @ v  # (b, h, n, d_v)
        outputs = heads.transpose(1, 2).flatten(start_dim=2) @ self.w_o  # (b, n, d_model)
        return outputs[:, n - x.shape[-2] :]

    def split(self, x: Tensor) -> Tensor:
        """(b, n, h * d) to (b, h, n, d)."""
        b, n, width = x.shape
        return x.reshape(b, n, self.num_heads, width // self.num_heads).transpose(1, 2)
