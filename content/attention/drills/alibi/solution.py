# backend: torch
import math

import torch
from torch import Tensor


def alibi_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Causal attention whose scores fall with the distance, in each head by its own slope."""
    h, m, n = q.shape[-3], q.shape[-2], k.shape[-2]
    head = torch.arange(1, h + 1, dtype=torch.float64, device=q.device)
    slopes = 2.0 ** (-8.0 * head / h)  # (h,)
    query = torch.arange(n - m, n, device=q.device)[:, None]  # the last m positions
    distance = query - torch.arange(n, device=q.device)  # (m, n), how far back a key is
    bias = (slopes[:, None, None] * distance).to(q.dtype)  # (h, m, n)

    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) - bias  # (..., h, m, n)
    weights = scores.masked_fill(distance < 0, float("-inf")).softmax(dim=-1)
    return weights @ v  # (..., h, m, d_v)
