# backend: torch
# mistake: mask-future-only, softmax-wrong-axis
# style: triu
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    ok = torch.ones(m, n, dtype=torch.bool, device=q.device).triu(n - m)
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(~ok, -torch.inf)
    return s.softmax(-2).nan_to_num() @ v
