# backend: torch
# mistake: cache-values-zeroed
import torch


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w = w_q, w_k, w_v, w_o
        self.h = num_heads
        self.reset()

    def reset(self):
        self.k = None

    def _heads(self, t):
        return t.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def __call__(self, x):
        w_q, w_k, w_v, w_o = self.w
        q, k, v = (self._heads(x @ w) for w in (w_q, w_k, w_v))
        if self.k is not None:
            old = torch.zeros(*v.shape[:2], self.k.shape[2], v.shape[3], dtype=v.dtype)
            k, v = torch.cat([self.k, k], 2), torch.cat([old, v], 2)
        self.k = k
        t, n = q.shape[2], k.shape[2]
        seen = torch.ones(t, n, dtype=torch.bool).tril(n - t)
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~seen, float("-inf"))
        return (torch.softmax(s, -1) @ v).transpose(1, 2).flatten(2) @ w_o
