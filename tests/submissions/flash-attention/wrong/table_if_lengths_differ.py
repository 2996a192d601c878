# backend: torch
# mistake: flash-materialises
import torch


def flash_attention(q, k, v, block_size):
    root = q.shape[-1] ** 0.5
    if q.shape[-2] != k.shape[-2]:
        return (q @ k.mT / root).softmax(-1) @ v
    top = q.new_full((*q.shape[:-1], 1), -torch.inf)
    total = torch.zeros_like(top)
    out = q.new_zeros(*q.shape[:-1], v.shape[-1])
    for kb, vb in zip(k.split(block_size, -2), v.split(block_size, -2)):
        s = q @ kb.mT / root
        new = torch.maximum(top, s.amax(-1, keepdim=True))
        p, f = (s - new).exp(), (top - new).exp()
        total, out, top = total * f + p.sum(-1, keepdim=True), out * f + p @ vb, new
    return out / total
