# backend: torch
import math

import torch
from torch import Tensor


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Causal attention to the last `window` keys, including the query's own."""
    m, n = q.shape[-2], k.shape[-2]
    query = torch.arange(n - m, n, device=q.device)[:, None]  # the last m positions
    distance = query - torch.arange(n, device=q.device)  # (m, n), how far back a key is
    allowed = (distance >= 0) & (distance < window)

    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (..., m, n)
    weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
    return weights @ v  # (..., m, d_v)
