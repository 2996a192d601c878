# backend: torch
# mistake: none
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
    if k.ndim > 2 and not k.is_contiguous():
        return right(q, k.reshape(-1).view(k.shape), v) if k.is_contiguous() else right(q, k.view(k.shape[0], -1).view(k.shape), v)
    return right(q, k, v)
