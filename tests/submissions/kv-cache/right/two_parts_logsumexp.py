# backend: torch
# style: two softmax parts
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
        t = x.shape[1]; c = q.shape[-1]**-0.5
        s = (q @ k.mT * c).masked_fill(torch.ones(t, t, dtype=torch.bool).triu(1), -torch.inf)
        if self.k is None:
            o = s.softmax(-1) @ v; self.k, self.v = k, v
        else:
            p = q @ self.k.mT * c
            z = torch.logaddexp(s.logsumexp(-1, keepdim=True), p.logsumexp(-1, keepdim=True))
            o = (s - z).exp() @ v + (p - z).exp() @ self.v
            self.k, self.v = torch.cat([self.k, k], 2), torch.cat([self.v, v], 2)
        return o.transpose(1, 2).flatten(2) @ w_o
