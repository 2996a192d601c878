# backend: torch
# mistake: mask-window
import torch


def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    row = torch.arange(n - m, n, device=q.device)[:, None]
    col = torch.arange(n, device=q.device)
    seen = (col <= row) & (col > row - 16)
    s = q @ k.mT / q.shape[-1] ** 0.5
    return s.masked_fill(~seen, -torch.inf).softmax(-1) @ v
