# backend: torch
# mistake: none
# breaks: past-asked-again
# style: returns-everything
import torch

class CachedAttention:
    """Correct for a single call; later calls return the outputs of all tokens."""

    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w, self.wo, self.h, self.past = (w_q, w_k, w_v), w_o, num_heads, None

    def reset(self):
        self.past = None

    def __call__(self, x):
        new = [torch.stack((x @ w).chunk(self.h, -1), 1) for w in self.w]
        self.past = new if self.past is None else [torch.cat(p, 2) for p in zip(self.past, new)]
        q, k, v = self.past
        s = q @ k.mT / q.shape[-1] ** 0.5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
        return torch.cat((s.softmax(-1) @ v).unbind(1), -1) @ self.wo
