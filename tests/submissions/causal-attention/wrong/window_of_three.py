# backend: torch
# mistake: mask-window
# style: window
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    i = torch.arange(n - m, n, device=q.device)[:, None]
    j = torch.arange(n, device=q.device)
    ok = (j <= i) & (j > i - 3)
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(~ok, -torch.inf)
    return s.softmax(-1) @ v
