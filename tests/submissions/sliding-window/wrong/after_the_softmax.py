# backend: torch
# mistake: mask-after-softmax
# style: multiplied weights
import math

import torch


def sliding_window_attention(q, k, v, window):
    m, n = q.shape[-2], k.shape[-2]
    query = torch.arange(m, device=q.device)[:, None] + n - m
    key = torch.arange(n, device=q.device)
    allowed = (key <= query) & (key > query - window)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return (torch.softmax(scores, dim=-1) * allowed) @ v
