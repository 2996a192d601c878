# backend: torch
# style: added mask
import math

import torch


def sliding_window_attention(q, k, v, window):
    m, n = q.shape[-2], k.shape[-2]
    back = torch.arange(m, device=q.device).unsqueeze(1) + (n - m) - torch.arange(n, device=q.device)
    mask = torch.zeros(m, n, dtype=q.dtype, device=q.device)
    mask = mask.masked_fill((back < 0) | (back >= window), -math.inf)
    return torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]) + mask, dim=-1) @ v
