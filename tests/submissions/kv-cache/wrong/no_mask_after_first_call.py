# backend: torch
# mistake: mask-square-only
# Applies the causal mask only while the cache is empty: a later chunk of several tokens sees its own future.
import torch

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.weights, self.w_o, self.h = (w_q, w_k, w_v), w_o, num_heads
        self.past = None

    def reset(self):
        self.past = None

    def __call__(self, x):
        q, k, v = ((x @ w).unflatten(-1, (self.h, -1)).transpose(1, 2) for w in self.weights)
        first = self.past is None
        if not first:
            k = torch.cat((self.past[0], k), dim=-2)
            v = torch.cat((self.past[1], v), dim=-2)
        self.past = (k, v)
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if first:
            t = x.shape[1]
            s = s + torch.full((t, t), -torch.inf, dtype=s.dtype).triu(1)
        return (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.w_o
