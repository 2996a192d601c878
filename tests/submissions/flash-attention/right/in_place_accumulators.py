# backend: torch
import torch

def flash_attention(q, k, v, block_size):
    top = q.new_full((*q.shape[:-1], 1), -torch.inf)
    total = q.new_zeros((*q.shape[:-1], 1))
    out = q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for j in range(0, k.shape[-2], block_size):
        kb, vb = k[..., j : j + block_size, :], v[..., j : j + block_size, :]
        s = q @ kb.mT / q.shape[-1] ** 0.5
        new = torch.maximum(top, s.amax(-1, keepdim=True))
        p, f = torch.exp(s - new), torch.exp(top - new)
        total.mul_(f).add_(p.sum(-1, keepdim=True))
        out.mul_(f).add_(p @ vb)
        top = new
    return out.div_(total)
