# backend: torch
# mistake: precision-lost
# style: half-internally
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(n - m + 1), -torch.inf)
    return (s.softmax(-1).half() @ v.half()).to(v.dtype)
