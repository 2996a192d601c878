# backend: torch
# mistake: none
# style: concat
import torch

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o = w_q, w_k, w_v, w_o
        self.h = num_heads
        self.k = None
        self.v = None

    def reset(self):
        self.k = None
        self.v = None

    def split(self, y):
        b, t, w = y.shape
        return y.reshape(b, t, self.h, w // self.h).transpose(1, 2)

    def __call__(self, x):
        q, k, v = self.split(x @ self.w_q), self.split(x @ self.w_k), self.split(x @ self.w_v)
        if self.k is not None:
            k = torch.cat([self.k, k])
            v = torch.cat([self.v, v])
        self.k, self.v = k, v
        t, n = q.shape[-2], k.shape[-2]
        ok = torch.ones(t, n, dtype=torch.bool, device=x.device).tril(n - t)
        s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        out = s.masked_fill(~ok, float("-inf")).softmax(-1) @ v
        return out.transpose(1, 2).reshape(x.shape[0], t, -1) @ self.w_o
