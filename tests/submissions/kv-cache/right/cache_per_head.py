# backend: torch
# style: per-head
import torch

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.parts = list(zip(w_q.chunk(num_heads, 1), w_k.chunk(num_heads, 1), w_v.chunk(num_heads, 1), w_o.chunk(num_heads, 0)))
        self.reset()

    def reset(self):
        self.seen = [None for _ in self.parts]

    def __call__(self, x):
        total = 0
        for i, (wq, wk, wv, wo) in enumerate(self.parts):
            k, v = x @ wk, x @ wv
            if self.seen[i] is not None:
                k = torch.cat([self.seen[i][0], k], 1)
                v = torch.cat([self.seen[i][1], v], 1)
            self.seen[i] = (k, v)
            s = torch.bmm(x @ wq, k.transpose(1, 2)) / wq.shape[1] ** 0.5
            gap = k.shape[1] - x.shape[1]
            s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(gap + 1), float("-inf"))
            total = total + torch.bmm(s.softmax(-1), v) @ wo
        return total
