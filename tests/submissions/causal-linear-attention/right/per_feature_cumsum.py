# backend: torch
# style: per-feature
import torch

def causal_linear_attention(q, k, v):
    f = lambda x: torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))
    q, k = f(q), f(k)
    num = torch.zeros_like(v)
    for c in range(k.shape[-1]):
        num = num + q[..., c:c + 1] * torch.cumsum(k[..., c:c + 1] * v, dim=-2)
    return num / (q * torch.cumsum(k, -2)).sum(-1, keepdim=True)
