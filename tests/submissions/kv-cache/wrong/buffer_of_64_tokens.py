# backend: torch
# mistake: none
# Keeps keys and values in a buffer of 64 tokens and fails on longer sequences.
import torch

MAX_TOKENS = 64

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o, self.h = w_q, w_k, w_v, w_o, num_heads
        self.reset()

    def reset(self):
        self.k = self.v = None
        self.n = 0

    def _split(self, t):
        return t.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def __call__(self, x):
        q, k, v = (self._split(x @ w) for w in (self.w_q, self.w_k, self.w_v))
        b, _, t, _ = q.shape
        if self.k is None:
            self.k = x.new_zeros(b, self.h, MAX_TOKENS, k.shape[-1])
            self.v = x.new_zeros(b, self.h, MAX_TOKENS, v.shape[-1])
        self.k = self.k.clone()
        self.v = self.v.clone()
        self.k[:, :, self.n : self.n + t] = k
        self.v[:, :, self.n : self.n + t] = v
        self.n += t
        keys, values = self.k[:, :, : self.n], self.v[:, :, : self.n]
        allowed = torch.ones(t, self.n, dtype=torch.bool).tril(self.n - t)
        s = (q @ keys.mT / q.shape[-1] ** 0.5).masked_fill(~allowed, -torch.inf)
        return (s.softmax(-1) @ values).transpose(1, 2).flatten(2) @ self.w_o
