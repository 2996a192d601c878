# backend: torch
# mistake: mask-future-only
# style: triu
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    allowed = torch.triu(torch.ones(m, n, device=q.device), diagonal=n - m).bool()
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(~allowed, -torch.inf)
    return s.softmax(-1) @ v
