# backend: torch
# mistake: flash-maximum-starts-high
import torch


def flash_attention(q, k, v, block_size):
    top = q.new_zeros(*q.shape[:-1], 1)
    total = torch.zeros_like(top)
    out = q.new_zeros(*q.shape[:-1], v.shape[-1])
    for kb, vb in zip(k.split(block_size, -2), v.split(block_size, -2)):
        s = q @ kb.mT / q.shape[-1] ** 0.5
        new = torch.maximum(top, s.amax(-1, keepdim=True))
        p, f = (s - new).exp(), (top - new).exp()
        total = total * f + p.sum(-1, keepdim=True)
        out = out * f + p @ vb
        top = new
    return out / total
