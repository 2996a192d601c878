# backend: torch
# mistake: flash-factor-inverted
# style: online
import torch

def flash_attention(q, k, v, block_size):
    top = torch.full_like(q[..., :1], float("-inf"))
    total = torch.zeros_like(top)
    out = q.new_zeros(*q.shape[:-1], v.shape[-1])
    for a in range(0, k.shape[-2], block_size):
        kb, vb = k[..., a:a + block_size, :], v[..., a:a + block_size, :]
        s = q @ kb.mT / q.shape[-1] ** 0.5
        new = torch.maximum(top, s.amax(-1, keepdim=True))
        p = torch.exp(s - new)
        f = torch.where(torch.isinf(top), torch.zeros_like(top), torch.exp(new - top))
        total = total * f + p.sum(-1, keepdim=True)
        out = out * f + p @ vb
        top = new
    return out / total
