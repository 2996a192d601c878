# backend: torch
# style: running-mean
import math
import torch

def flash_attention(q, k, v, block_size):
    # the output is a mean at all times
    top = torch.full_like(q[..., :1], -math.inf)
    total = torch.zeros_like(top)
    out = 0
    for a in range(0, k.shape[-2], block_size):
        s = q @ k[..., a:a + block_size, :].mT / math.sqrt(q.shape[-1])
        new = torch.maximum(top, s.amax(-1, keepdim=True))
        p = torch.exp(s - new)
        old = total * torch.exp(top - new)
        total = old + p.sum(-1, keepdim=True)
        out = out * (old / total) + (p / total) @ v[..., a:a + block_size, :]
        top = new
    return out
