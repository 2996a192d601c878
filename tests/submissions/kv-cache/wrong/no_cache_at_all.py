# backend: torch
# mistake: cache-not-updated
# style: stateless
import torch

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.wq, self.wk, self.wv, self.wo, self.h = w_q, w_k, w_v, w_o, num_heads

    def reset(self):
        pass

    def __call__(self, x):
        q, k, v = (torch.stack((x @ w).chunk(self.h, -1), 1) for w in (self.wq, self.wk, self.wv))
        s = q @ k.mT / q.shape[-1] ** 0.5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
        return torch.cat((s.softmax(-1) @ v).unbind(1), -1) @ self.wo
