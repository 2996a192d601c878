# backend: torch
from torch import Tensor


def embed(tokens: Tensor, table: Tensor, positions: Tensor, start: int = 0) -> Tensor:
    """Look up the row of each token and add that of its position."""
    n = tokens.shape[-1]
    return table[tokens] + positions[start : start + n]  # (..., n, d)
