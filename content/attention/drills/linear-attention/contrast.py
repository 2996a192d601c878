# backend: torch
from torch import Tensor
from torch.nn.functional import elu


def linear_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """The same numbers with queries and keys multiplied first: every pair of tokens is compared."""
    q, k = elu(q) + 1, elu(k) + 1  # positive features
    weights = q @ k.transpose(-2, -1)  # (..., m, n)
    weights = weights / weights.sum(dim=-1, keepdim=True)  # each row sums to 1
    return weights @ v  # (..., m, d_v)
