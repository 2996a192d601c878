# backend: torch
# mistake: none
import torch


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w = w_q, w_k, w_v, w_o
        self.h = num_heads
        self.reset()

    def heads(self, x, w):
        return (x @ w).unflatten(-1, (self.h, w.shape[1] // self.h)).transpose(1, 2)

    def __call__(self, x):
        w_q, w_k, w_v, w_o = self.w
        q, k, v = self.heads(x, w_q), self.heads(x, w_k), self.heads(x, w_v)
        if self.k is not None:
            k, v = torch.cat([self.k, k], 2), torch.cat([self.v, v], 2)
        self.k, self.v = k[:, :, -32:], v[:, :, -32:]
        t, n = q.shape[2], k.shape[2]
        seen = torch.ones(t, n, dtype=torch.bool, device=x.device).tril(n - t)
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~seen, -torch.inf)
        return (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ w_o

    def reset(self):
        self.k = self.v = None
