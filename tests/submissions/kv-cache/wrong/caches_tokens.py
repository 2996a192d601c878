# backend: torch
# mistake: cache-recomputes
# Caches the tokens instead of keys and values and projects all of them again in each call.
import torch

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o, self.h = w_q, w_k, w_v, w_o, num_heads
        self.tokens = None

    def reset(self):
        self.tokens = None

    def heads(self, t):
        return t.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def __call__(self, x):
        self.tokens = x if self.tokens is None else torch.cat((self.tokens, x), dim=1)
        q = self.heads(x @ self.w_q)
        k = self.heads(self.tokens @ self.w_k)
        v = self.heads(self.tokens @ self.w_v)
        t, n = q.shape[2], k.shape[2]
        s = q @ k.mT / q.shape[-1] ** 0.5
        s = s.masked_fill(torch.ones(t, n, dtype=torch.bool).triu(n - t + 1), -torch.inf)
        return (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.w_o
