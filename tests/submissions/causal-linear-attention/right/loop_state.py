# backend: torch
import torch


def phi(x):
    return torch.where(x > 0, x + 1, x.clamp(max=0).exp())

def causal_linear_attention(q, k, v):
    a, b = phi(q), phi(k)
    state = z = 0
    out = []
    for i in range(q.shape[-2]):
        state = state + b[..., i, :, None] * v[..., i, None, :]
        z = z + b[..., i, :]
        out.append((a[..., i, :, None] * state).sum(-2) / (a[..., i, :] * z).sum(-1, keepdim=True))
    return torch.stack(out, -2)
