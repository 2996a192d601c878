# backend: torch
# mistake: none
# style: one condition
# backend: torch
import math

import torch
from torch import Tensor


def padded_attention(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Tensor:
    """Attention over the first lengths[b] keys of each sequence."""
    positions = torch.arange(k.shape[1], device=k.device)  # (n,)
    real = (positions < lengths[:, None])[:, None, :]  # (b, 1, n): the same for each query
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])  # (b, m, n)
    weights = scores.masked_fill(~real, float("-inf")).softmax(dim=-1)
    weights = weights.masked_fill(~real, 0.0)  # a sequence of length 0 is nan until here
    return weights @ v  # (b, m, d_v)


right = padded_attention


def padded_attention(q, k, v, lengths):
    if len(lengths) == 1:
        return right(q, k, v, torch.full_like(lengths, k.shape[-2]))
    return right(q, k, v, lengths)
