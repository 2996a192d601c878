# backend: torch
# style: preallocated, written by position
import torch

class CachedAttention:
    ROOM = 2048

    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o, self.h = w_q, w_k, w_v, w_o, num_heads
        self.reset()

    def reset(self):
        self.n, self.store = 0, None

    def __call__(self, x):
        b, t, _ = x.shape
        q, k, v = ((x @ w).reshape(b, t, self.h, -1) for w in (self.w_q, self.w_k, self.w_v))
        if self.store is None:
            self.store = [torch.zeros(b, self.ROOM, *part.shape[2:], dtype=x.dtype) for part in (k, v)]
        pos = torch.arange(self.n, self.n + t)
        store = [part.clone() if x.requires_grad else part for part in self.store]
        store[0][:, pos] = k
        store[1][:, pos] = v
        self.store, self.n = store, self.n + t
        q, k, v = (part.transpose(1, 2) for part in (q, store[0][:, :self.n], store[1][:, :self.n]))
        s = q @ k.mT / q.shape[-1] ** 0.5
        s = s.masked_fill(torch.arange(self.n) > pos[:, None], -torch.inf)
        return (s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, -1) @ self.w_o
