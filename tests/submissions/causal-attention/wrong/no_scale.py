# backend: torch
# mistake: scale-missing
# style: tril
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    allowed = torch.ones(m, n, dtype=torch.bool, device=q.device).tril(n - m)
    return (q @ k.mT).masked_fill(~allowed, -torch.inf).softmax(-1) @ v
