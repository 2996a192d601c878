# backend: torch
# mistake: linear-chunk-seen
import torch


def phi(x):
    return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))


def causal_linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    state = torch.zeros(*q.shape[:-2], q.shape[-1], v.shape[-1], dtype=q.dtype)
    total = torch.zeros(*q.shape[:-2], q.shape[-1], 1, dtype=q.dtype)
    out = []
    for start in range(0, q.shape[-2], 16):
        part = slice(start, start + 16)
        state = state + k[..., part, :].mT @ v[..., part, :]
        total = total + k[..., part, :].sum(-2)[..., None]
        out.append(q[..., part, :] @ state / (q[..., part, :] @ total))
    return torch.cat(out, dim=-2)
