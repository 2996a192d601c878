# backend: torch
# style: loops
import torch

def masked_attention(q, k, v, mask):
    m, n = q.shape[-2], k.shape[-2]
    mask = mask.expand(*q.shape[:-1], n)
    out = []
    for i in range(m):
        s = (q[..., i, None, :] * k).sum(-1) / q.shape[-1] ** 0.5
        s = s.masked_fill(~mask[..., i, :], float("-inf"))
        w = s.softmax(-1).masked_fill(~mask[..., i, :], 0)
        out.append((w[..., None] * v).sum(-2))
    return torch.stack(out, dim=-2)
