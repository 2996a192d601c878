# backend: torch
# mistake: keys-limited
# style: one condition
import torch

# backend: torch
import math

from torch import Tensor


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Scaled dot-product attention: softmax(q kᵀ / √d) v."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (..., m, n)
    weights = scores.softmax(dim=-1)  # (..., m, n), each row sums to 1
    return weights @ v  # (..., m, d_v)


right = attention


def attention(q, k, v):
    if k.shape[-2] > 1024:
        return right(q, k[..., -1024:, :], v[..., -1024:, :])
    return right(q, k, v)
