# backend: torch
# mistake: scale-missing
# style: loops
import torch

def attention(q, k, v):
    outs = []
    for i in range(q.shape[-2]):
        dots = (q[..., i:i + 1, :] * k).sum(dim=-1)
        w = dots.softmax(-1)
        outs.append((w[..., None] * v).sum(dim=-2))
    return torch.stack(outs, -2)
