# backend: torch
from torch import Tensor


def partial_attention(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """Return an output (h, m, d_v) and logarithms of sums of exponentials (h, m)."""
    raise NotImplementedError("the usual output, and how much it stands for")


def merge(outputs: Tensor, lses: Tensor) -> tuple[Tensor, Tensor]:
    """Return the output and logarithms of all parts (s, h, m, d_v) and (s, h, m) together."""
    raise NotImplementedError("each part by its share")
