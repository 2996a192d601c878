# backend: torch
# style: one bias with -inf in it
import math

import torch


def alibi_attention(q, k, v):
    h, m, n = q.shape[-3], q.shape[-2], k.shape[-2]
    start = 2 ** (-8 / h)
    slopes = torch.tensor([start ** (i + 1) for i in range(h)], dtype=q.dtype, device=q.device)
    place = torch.arange(m, device=q.device).unsqueeze(1) + (n - m)
    back = place - torch.arange(n, device=q.device)
    bias = -slopes.view(h, 1, 1) * back.to(q.dtype)
    bias = bias.masked_fill(back < 0, -math.inf)
    return torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]) + bias, dim=-1) @ v
