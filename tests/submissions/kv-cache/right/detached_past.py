# backend: torch
import math

import torch


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.weights = w_q, w_k, w_v, w_o
        self.num_heads = num_heads
        self.reset()

    def reset(self):
        self.past = None

    def heads(self, x, w):
        b, t, _ = x.shape
        return (x @ w).view(b, t, self.num_heads, -1).transpose(1, 2)

    def __call__(self, x):
        w_q, w_k, w_v, w_o = self.weights
        q, k, v = (self.heads(x, w) for w in (w_q, w_k, w_v))
        if self.past is not None:
            k = torch.cat((self.past[0], k), dim=2)
            v = torch.cat((self.past[1], v), dim=2)
        self.past = k.detach(), v.detach()
        t, n = q.shape[2], k.shape[2]
        rows = torch.arange(n - t, n, device=x.device)[:, None]
        later = torch.arange(n, device=x.device)[None, :] > rows
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(later, -torch.inf)
        out = torch.softmax(scores, dim=-1) @ v
        return out.transpose(1, 2).flatten(2) @ w_o
