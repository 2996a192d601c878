# backend: torch
# mistake: flash-running-max-missing, scale-missing
# style: online
import torch

def flash_attention(q, k, v, block_size):
    top = torch.full_like(q[..., :1], float("-inf"))
    total = torch.zeros_like(top)
    out = q.new_zeros(*q.shape[:-1], v.shape[-1])
    for a in range(0, k.shape[-2], block_size):
        kb, vb = k[..., a:a + block_size, :], v[..., a:a + block_size, :]
        s = q @ kb.mT
        p = torch.exp(s - s.amax(-1, keepdim=True))
        total = total + p.sum(-1, keepdim=True)
        out = out + p @ vb
    return out / total
