# backend: torch
# mistake: result-overwritten
# style: one output buffer for all calls
import torch


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o, self.h = w_q, w_k, w_v, w_o, num_heads
        self.out = None
        self.reset()

    def reset(self):
        self.k = self.v = None

    def heads(self, x):
        return x.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def __call__(self, x):
        q, k, v = (self.heads(x @ w) for w in (self.w_q, self.w_k, self.w_v))
        if self.k is not None:
            k, v = torch.cat([self.k, k], -2), torch.cat([self.v, v], -2)
        self.k, self.v = k, v
        m, n = q.shape[-2], k.shape[-2]
        later = torch.ones(m, n, dtype=torch.bool).triu(n - m + 1)
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(later, -torch.inf)
        mixed = (scores.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.w_o
        if torch.is_grad_enabled() and mixed.requires_grad:
            return mixed
        if self.out is None or self.out.shape != mixed.shape or self.out.dtype != mixed.dtype:
            self.out = torch.empty_like(mixed)
        return self.out.copy_(mixed)
