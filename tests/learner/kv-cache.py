# backend: torch
import torch


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o = w_q, w_k, w_v, w_o
        self.heads = num_heads
        self.reset()

    def reset(self):
        self.k, self.v = [], []

    def split(self, rows):
        return rows.unflatten(-1, (self.heads, -1))

    def __call__(self, x):
        t = x.shape[1]
        self.k.append(self.split(x @ self.w_k))
        self.v.append(self.split(x @ self.w_v))
        q, k, v = self.split(x @ self.w_q), torch.cat(self.k, 1), torch.cat(self.v, 1)
        n = k.shape[1]
        s = torch.einsum("bihe,bjhe->bhij", q, k) / q.shape[-1] ** 0.5
        later = torch.arange(n)[None, :] > torch.arange(n - t, n)[:, None]
        a = s.masked_fill(later.to(s.device), float("-inf")).softmax(-1)
        return torch.einsum("bhij,bjhe->bihe", a, v).flatten(2) @ self.w_o
