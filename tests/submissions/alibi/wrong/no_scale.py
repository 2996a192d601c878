# backend: torch
# mistake: scale-missing
# style: no scale
import math

import torch


def alibi_attention(q, k, v):
    h, m, n = q.shape[-3], q.shape[-2], k.shape[-2]
    slopes = 2.0 ** (-8.0 * torch.arange(1, h + 1, dtype=torch.float64, device=q.device) / h)
    query = torch.arange(m, device=q.device)[:, None] + n - m
    distance = query - torch.arange(n, device=q.device)
    bias = (slopes[:, None, None] * distance).to(q.dtype)
    scores = q @ k.mT - bias
    scores = scores.masked_fill(distance < 0, -math.inf)
    return torch.softmax(scores, dim=-1) @ v
