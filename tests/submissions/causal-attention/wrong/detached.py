# backend: torch
# mistake: not-differentiable
# style: detach
import torch

def causal_attention(q, k, v):
    with torch.no_grad():
        m, n = q.shape[-2], k.shape[-2]
        s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        w = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(n - m + 1), -torch.inf).softmax(-1)
    return w @ v
