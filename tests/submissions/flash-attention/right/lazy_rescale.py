# backend: torch
# style: lazy
import math
import torch

def flash_attention(q, k, v, block_size):
    # keep the old reference while the maximum has not grown by more than 8: exact all the same
    ref = torch.full_like(q[..., :1], -math.inf)
    total, out = torch.zeros_like(ref), torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for a in range(0, k.shape[-2], block_size):
        s = q @ k[..., a:a + block_size, :].mT / math.sqrt(q.shape[-1])
        peak = s.amax(-1, keepdim=True)
        new = torch.where(peak > ref + 8, peak, ref)
        f, p = (ref - new).exp(), (s - new).exp()
        total, out, ref = total * f + p.sum(-1, keepdim=True), out * f + p @ v[..., a:a + block_size, :], new
    return out / total
