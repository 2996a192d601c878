# backend: torch
# mistake: flash-maximum-starts-high
# style: online
import math
import torch

def flash_attention(q, k, v, block_size):
    m, d = q.shape[-2:]
    top = torch.full((*q.shape[:-1], 1), -1e5, dtype=q.dtype)
    total = torch.zeros_like(top)
    out = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for a in range(0, k.shape[-2], block_size):
        kb, vb = k[..., a:a + block_size, :], v[..., a:a + block_size, :]
        s = q @ kb.mT / math.sqrt(d)
        new = torch.maximum(top, s.amax(-1, keepdim=True))
        p, f = torch.exp(s - new), torch.exp(top - new)
        total = f * total + p.sum(-1, keepdim=True)
        out = f * out + p @ vb
        top = new
    return out / total
