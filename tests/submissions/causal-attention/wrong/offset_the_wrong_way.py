# backend: torch
# mistake: mask-offset-reversed
# style: tril
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    allowed = torch.ones(m, n, dtype=torch.bool, device=q.device).tril(m - n)
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(~allowed, -torch.inf)
    return s.softmax(-1).nan_to_num() @ v
