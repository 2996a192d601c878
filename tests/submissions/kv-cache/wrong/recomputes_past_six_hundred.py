# backend: torch
# mistake: cache-recomputes
# style: cheap-where-it-is-short
import math

import torch
from torch import Tensor


def split(x: Tensor, heads: int) -> Tensor:
    b, t, width = x.shape
    return x.reshape(b, t, heads, width // heads).transpose(1, 2)


def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    t, n = q.shape[-2], k.shape[-2]
    allowed = torch.ones(t, n, dtype=torch.bool).tril(diagonal=n - t)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).flatten(start_dim=2)


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o = w_q, w_k, w_v, w_o
        self.num_heads = num_heads
        self.reset()

    def reset(self):
        self.tokens = self.keys = self.values = None

    def __call__(self, x):
        self.tokens = x if self.tokens is None else torch.cat([self.tokens, x], dim=1)
        q = split(x @ self.w_q, self.num_heads)
        if self.tokens.shape[1] > 600 or self.keys is None:
            self.keys = split(self.tokens @ self.w_k, self.num_heads)
            self.values = split(self.tokens @ self.w_v, self.num_heads)
        else:
            self.keys = torch.cat([self.keys, split(x @ self.w_k, self.num_heads)], dim=-2)
            self.values = torch.cat([self.values, split(x @ self.w_v, self.num_heads)], dim=-2)
        return attend(q, self.keys, self.values) @ self.w_o
