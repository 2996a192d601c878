# backend: torch
# mistake: cache-shared-between-instances
# Keeps the caches in a dictionary keyed by the values of w_k, so that two objects with equal weights share one.
import torch

_CACHE = {}

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o, self.h = w_q, w_k, w_v, w_o, num_heads
        self.key = str(w_k.tolist())

    def reset(self):
        _CACHE.pop(self.key, None)

    def __call__(self, x):
        q, k, v = ((x @ w).unflatten(-1, (self.h, -1)).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v))
        if self.key in _CACHE:
            old_k, old_v = _CACHE[self.key]
            k, v = torch.cat([old_k, k], 2), torch.cat([old_v, v], 2)
        _CACHE[self.key] = k, v
        t, n = q.shape[2], k.shape[2]
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(torch.ones(t, n, dtype=torch.bool).triu(n - t + 1), -torch.inf)
        return (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.w_o
