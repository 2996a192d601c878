# backend: torch
# mistake: none
# style: bounded
import torch

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w = w_q, w_k, w_v, w_o; self.h = num_heads
        self.k = self.v = None
    def reset(self):
        self.k = self.v = None
    def cut(self, y):
        return y.unflatten(-1, (self.h, -1)).transpose(1, 2)
    def __call__(self, x):
        w_q, w_k, w_v, w_o = self.w
        q, k, v = self.cut(x @ w_q), self.cut(x @ w_k), self.cut(x @ w_v)
        if self.k is not None:
            k, v = torch.cat([self.k, k], 2), torch.cat([self.v, v], 2)
        self.k, self.v = k, v
        k, v = k[:, :, -512:], v[:, :, -1024:]
        self.k, self.v = k, v
        t, n = q.shape[2], k.shape[2]
        s = q @ k.mT / q.shape[-1]**0.5
        s = s.masked_fill(torch.ones(t, n, dtype=torch.bool).triu(max(n-t,0)+1), -torch.inf)
        o = (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ w_o
        return o
