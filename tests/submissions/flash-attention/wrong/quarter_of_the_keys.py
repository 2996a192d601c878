# backend: torch
# mistake: flash-materialises
# Takes at least a quarter of the keys at a time, whatever block_size is: the table still grows with m * n.
import torch

def flash_attention(q, k, v, block_size):
    block = max(block_size, k.shape[-2] // 4)
    top = q.new_full((*q.shape[:-1], 1), -torch.inf)
    total = q.new_zeros((*q.shape[:-1], 1))
    out = q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for kb, vb in zip(k.split(block, -2), v.split(block, -2)):
        s = q @ kb.transpose(-2, -1) / q.shape[-1] ** 0.5
        new = torch.maximum(top, s.amax(-1, keepdim=True))
        p, f = torch.exp(s - new), torch.exp(top - new)
        top, total, out = new, total * f + p.sum(-1, keepdim=True), out * f + p @ vb
    return out / total
