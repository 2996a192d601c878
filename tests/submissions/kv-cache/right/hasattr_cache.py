# backend: torch
# style: adversarial
import torch

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w, self.w_o, self.h = (w_q, w_k, w_v), w_o, num_heads
        pass

    def reset(self):
        self.__dict__.pop("k", None), self.__dict__.pop("v", None)

    def __call__(self, x):
        b, t, _ = x.shape
        q, k, v = ((x @ w).reshape(b, t, self.h, -1).transpose(1, 2) for w in self.w)
        if hasattr(self, "k"):
            k, v = torch.cat([self.k, k], 2), torch.cat([self.v, v], 2)
        self.k, self.v = k, v
        n = k.shape[2]
        ok = torch.ones(t, n, dtype=torch.bool).tril(n - t)
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~ok, float("-inf"))
        return (s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, -1) @ self.w_o
