# backend: torch
# style: unusual
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if m > 1:
        s[..., n - m:] += torch.full((m, m), -torch.inf, dtype=s.dtype).triu(1)
    return s.softmax(-1) @ v
