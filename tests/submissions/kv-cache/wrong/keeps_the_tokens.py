# backend: torch
# mistake: cache-recomputes
# style: recompute
import torch

class CachedAttention:
    """Remembers the tokens and runs all of attention again."""

    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w = (w_q, w_k, w_v)
        self.w_o, self.h = w_o, num_heads
        self.tokens = None

    def reset(self):
        self.tokens = None

    def __call__(self, x):
        self.tokens = x if self.tokens is None else torch.cat([self.tokens, x], 1)
        q, k, v = (torch.stack((self.tokens @ w).chunk(self.h, -1), 1) for w in self.w)
        s = q @ k.mT / q.shape[-1] ** 0.5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
        out = torch.cat((s.softmax(-1) @ v).unbind(1), -1) @ self.w_o
        return out[:, -x.shape[1]:]
