# backend: torch
# mistake: none
import torch


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w = w_q, w_k, w_v, w_o
        self.h = num_heads
        self.reset()

    def heads(self, x, w):
        return (x @ w).unflatten(-1, (self.h, w.shape[1] // self.h)).transpose(1, 2)

    def __call__(self, x):
        w_q, w_k, w_v, w_o = self.w
        new = [self.heads(x, w) for w in (w_q, w_k, w_v)]
        if self.kept is not None:
            new = [torch.cat(pair, 2) for pair in zip(self.kept, new)]
        self.kept = q, k, v = new
        if x.shape[1] == 1:
            q = q[:, :, -1:]
        t, n = q.shape[2], k.shape[2]
        seen = torch.ones(t, n, dtype=torch.bool, device=x.device).tril(n - t)
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~seen, -torch.inf)
        y = (s.softmax(-1) @ v)[:, :, -x.shape[1] :]
        return y.transpose(1, 2).flatten(2) @ w_o

    def reset(self):
        self.kept = None
