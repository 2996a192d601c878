# backend: torch
# style: module
import torch
from torch import nn


class CachedAttention(nn.Module):
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        super().__init__()
        self.w_q, self.w_k = nn.Parameter(w_q), nn.Parameter(w_k)
        self.w_v, self.w_o = nn.Parameter(w_v), nn.Parameter(w_o)
        self.num_heads = num_heads
        self.reset()

    def reset(self):
        self.k = self.v = None

    def split(self, y):
        return y.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x):
        q, k, v = (self.split(x @ w) for w in (self.w_q, self.w_k, self.w_v))
        if self.k is not None:
            k, v = torch.cat([self.k, k], 2), torch.cat([self.v, v], 2)
        self.k, self.v = k, v
        m, n = q.shape[2], k.shape[2]
        ahead = torch.ones(m, n, dtype=torch.bool).triu(n - m + 1)
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(ahead, float("-inf"))
        return (scores.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.w_o
