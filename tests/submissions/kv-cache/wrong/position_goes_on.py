# backend: torch
# mistake: cache-position-not-reset
import torch


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o = w_q, w_k, w_v, w_o
        self.num_heads = num_heads
        self.keys, self.values, self.pos = None, None, 0

    def reset(self):
        self.keys = self.values = None

    def __call__(self, x):
        b, t, _ = x.shape
        split = lambda y: y.reshape(b, t, self.num_heads, -1).transpose(1, 2)
        q, k, v = split(x @ self.w_q), split(x @ self.w_k), split(x @ self.w_v)
        if self.keys is not None:
            k = torch.cat((self.keys, k), dim=2)
            v = torch.cat((self.values, v), dim=2)
        self.keys, self.values = k, v
        positions = torch.arange(self.pos, self.pos + t)
        self.pos += t
        allowed = torch.arange(k.shape[2])[None, :] <= positions[:, None]
        scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(-1)
        return (weights @ v).transpose(1, 2).reshape(b, t, -1) @ self.w_o
