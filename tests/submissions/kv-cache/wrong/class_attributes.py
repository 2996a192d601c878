# backend: torch
# mistake: cache-shared-between-instances
# breaks: own-state
# style: class-state
import torch

class CachedAttention:
    keys = []
    values = []

    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.wq, self.wk, self.wv, self.wo, self.h = w_q, w_k, w_v, w_o, num_heads

    def reset(self):
        self.keys.clear()
        self.values.clear()

    def __call__(self, x):
        cut = lambda y: torch.stack(y.chunk(self.h, -1), 1)
        self.keys.append(cut(x @ self.wk))
        self.values.append(cut(x @ self.wv))
        k, v = torch.cat(self.keys, 2), torch.cat(self.values, 2)
        q = cut(x @ self.wq)
        s = q @ k.mT / q.shape[-1] ** 0.5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(k.shape[2] - q.shape[2] + 1), -torch.inf)
        return torch.cat((s.softmax(-1) @ v).unbind(1), -1) @ self.wo
