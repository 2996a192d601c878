# backend: torch
from itertools import accumulate
import torch

def phi(x):
    return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))

def causal_linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    ones = torch.ones_like(v[..., :1])
    wide = torch.cat([v, ones], dim=-1)
    updates = (k[..., i, :, None] * wide[..., i, None, :] for i in range(k.shape[-2]))
    rows = [torch.einsum("...d,...dv->...v", q[..., i, :], s) for i, s in enumerate(accumulate(updates))]
    both = torch.stack(rows, dim=-2)
    return both[..., :-1] / both[..., -1:]
