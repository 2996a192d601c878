# backend: torch
# mistake: none
# Calls the parameter heads, so the brief's own call with num_heads=1 raises.
import torch

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, heads):
        self.weights, self.w_o, self.h = (w_q, w_k, w_v), w_o, heads
        self.past = None

    def reset(self):
        self.past = None

    def __call__(self, x):
        q, k, v = ((x @ w).unflatten(-1, (self.h, -1)).transpose(1, 2) for w in self.weights)
        if self.past:
            k, v = (torch.cat(pair, dim=2) for pair in zip(self.past, (k, v)))
        self.past = k, v
        t, n = q.shape[2], k.shape[2]
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(torch.ones(t, n).triu(n - t + 1) > 0, -torch.inf)
        return (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.w_o
