# backend: torch
# mistake: cache-recomputes
# breaks: past-projected-again
# style: recompute
import torch

class CachedAttention:
    """Asks with the new tokens only, but projects all old tokens anew."""

    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o, self.h = w_q, w_k, w_v, w_o, num_heads
        self.history = []

    def reset(self):
        self.history = []

    def __call__(self, x):
        self.history.append(x)
        everything = torch.cat(self.history, 1)
        cut = lambda y: y.unflatten(-1, (self.h, -1)).transpose(1, 2)
        q, k, v = cut(x @ self.w_q), cut(everything @ self.w_k), cut(everything @ self.w_v)
        s = q @ k.mT / q.shape[-1] ** 0.5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(s.shape[-1] - s.shape[-2] + 1), -torch.inf)
        return (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.w_o
