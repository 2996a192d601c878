# backend: torch
# mistake: cache-shared-between-instances
# breaks: own-state
# style: adversarial
import torch

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w, self.w_o, self.h = (w_q, w_k, w_v), w_o, num_heads
        global K
        K = {}

    def reset(self):
        K.clear()

    def __call__(self, x):
        b, t, _ = x.shape
        q, k, v = ((x @ w).reshape(b, t, self.h, -1).transpose(1, 2) for w in self.w)
        K[len(K)] = (k, v)
        k, v = (torch.cat([p[i] for p in K.values()], 2) for i in (0, 1))
        n = k.shape[2]
        ok = torch.ones(t, n, dtype=torch.bool).tril(n - t)
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~ok, float("-inf"))
        return (s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, -1) @ self.w_o
