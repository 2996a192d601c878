# backend: torch
# mistake: none
# style: online
import math
import torch

def flash_attention(q, k, v, block_size):
    # rescale only where the maximum has grown by much; but the old one is forgotten
    top = torch.full_like(q[..., :1], -math.inf)
    total = torch.zeros_like(top)
    out = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for a in range(0, k.shape[-2], block_size):
        s = q @ k[..., a:a + block_size, :].mT / math.sqrt(q.shape[-1])
        new = torch.maximum(top, s.amax(-1, keepdim=True))
        grown = new - top
        f = torch.where(grown > 1e-4, torch.exp(-grown), torch.ones_like(grown))
        p = (s - new).exp()
        total, out, top = total * f + p.sum(-1, keepdim=True), out * f + p @ v[..., a:a + block_size, :], new
    return out / total
