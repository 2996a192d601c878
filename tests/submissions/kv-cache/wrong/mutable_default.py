# backend: torch
# mistake: cache-shared-between-instances
# style: default-argument
import torch

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads, past=[]):
        self.wq, self.wk, self.wv, self.wo, self.h = w_q, w_k, w_v, w_o, num_heads
        self.past = past

    def reset(self):
        self.past.clear()

    def __call__(self, x):
        self.past.append((x @ self.wk, x @ self.wv))
        k = torch.cat([p[0] for p in self.past], 1)
        v = torch.cat([p[1] for p in self.past], 1)
        q, k, v = (y.unflatten(-1, (self.h, -1)).transpose(1, 2) for y in (x @ self.wq, k, v))
        s = q @ k.mT / q.shape[-1] ** 0.5
        s = s + torch.full_like(s, float("-inf")).triu(s.shape[-1] - s.shape[-2] + 1)
        return (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.wo
