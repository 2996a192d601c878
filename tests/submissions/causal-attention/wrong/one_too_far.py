# backend: torch
# mistake: mask-sees-next
# breaks: not-ahead
# style: triu
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    blocked = torch.ones(m, n, dtype=torch.bool, device=q.device).triu(n - m + 2)
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(blocked, -torch.inf)
    return s.softmax(-1) @ v
