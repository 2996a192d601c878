# backend: torch
# mistake: mask-window
# style: banded mask
import torch

def causal_attention(q, k, v):
    m, n, d = q.shape[-2], k.shape[-2], q.shape[-1]
    s = q @ k.mT / d**0.5
    mask = torch.ones(m, n, dtype=torch.bool, device=q.device).tril(n-m)
    mask &= torch.ones(m, n, dtype=torch.bool).triu(n-m-255)
    return torch.softmax(s.masked_fill(~mask, -torch.inf), -1) @ v
