# backend: torch
from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Give each head its own axis: (..., n, h * d_head) -> (..., h, n, d_head)."""
    raise NotImplementedError("head i owns columns i * d_head to (i + 1) * d_head")


def merge_heads(x: Tensor) -> Tensor:
    """Put the heads side by side again: (..., h, n, d_head) -> (..., n, h * d_head)."""
    raise NotImplementedError("the same steps in reverse")
