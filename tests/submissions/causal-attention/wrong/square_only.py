# backend: torch
# mistake: none
# style: hard-coded
import torch

def causal_attention(q, k, v):
    n = q.shape[-2]
    allowed = torch.ones(n, n, dtype=torch.bool, device=q.device).tril()
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(~allowed, -torch.inf)
    return s.softmax(-1) @ v
