# backend: torch
# style: module, indexed twice
import torch
from torch import nn

class CachedAttention(nn.Module):
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        super().__init__()
        self.w_q, self.w_k, self.w_v, self.w_o, self.h = w_q, w_k, w_v, w_o, num_heads
        self.register_buffer("mask", torch.tril(torch.ones(2048, 2048, dtype=torch.bool)))
        self.reset()

    def reset(self):
        self.keys = self.values = None

    def heads(self, x):
        return x.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def forward(self, x):
        q, k, v = (self.heads(x @ w) for w in (self.w_q, self.w_k, self.w_v))
        if self.keys is not None:
            k, v = torch.cat([self.keys, k], 2), torch.cat([self.values, v], 2)
        self.keys, self.values = k, v
        n, t = k.shape[2], x.shape[1]
        pos = torch.arange(n - t, n).unsqueeze(1)
        s = q @ k.mT / q.shape[-1] ** 0.5
        s = s.masked_fill(~self.mask[pos, torch.arange(n)], -torch.inf)
        return (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.w_o
