# backend: torch
# mistake: input-mutated
# style: in-place
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    q.mul_(q.shape[-1] ** -0.5)
    s = q @ k.transpose(-1, -2)
    s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(n - m + 1), -torch.inf)
    return s.softmax(-1) @ v
