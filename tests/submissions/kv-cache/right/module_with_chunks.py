# backend: torch
import torch
from torch import nn

class CachedAttention(nn.Module):
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        super().__init__()
        self.w_q, self.w_k, self.w_v, self.w_o = w_q, w_k, w_v, w_o
        self.num_heads = num_heads
        self.chunks = []

    def reset(self):
        self.chunks.clear()

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = ((x @ w).reshape(b, t, self.num_heads, -1) for w in (self.w_q, self.w_k, self.w_v))
        self.chunks.append((k, v))
        keys = torch.cat([c[0] for c in self.chunks], dim=1)
        values = torch.cat([c[1] for c in self.chunks], dim=1)
        n = keys.shape[1]
        s = torch.einsum("bthd,bnhd->bhtn", q, keys) / q.shape[-1] ** 0.5
        late = torch.arange(n)[None, :] > torch.arange(n - t, n)[:, None]
        s = s.masked_fill(late, float("-inf"))
        out = torch.einsum("bhtn,bnhv->bthv", torch.softmax(s, dim=-1), values)
        return out.reshape(b, t, -1) @ self.w_o
