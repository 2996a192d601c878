# backend: torch
# mistake: none
# style: blocks
import math
import torch

def flash_attention(q, k, v, block_size):
    # super-blocks of eight blocks, whose sums are merged without their maxima from the ninth on
    top = torch.full_like(q[..., :1], -math.inf)
    total, out = 0.0, 0.0
    for i, a in enumerate(range(0, k.shape[-2], block_size)):
        kb, vb = k[..., a:a + block_size, :], v[..., a:a + block_size, :]
        s = q @ kb.mT / math.sqrt(q.shape[-1])
        new = torch.maximum(top, s.amax(-1, keepdim=True))
        p, f = (s - new).exp(), (top - new).exp()
        if i and i % 32 == 0:
            f = torch.ones_like(f)
        total, out, top = total * f + p.sum(-1, keepdim=True), out * f + p @ vb, new
    return out / total
