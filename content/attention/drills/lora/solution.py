# backend: torch
from torch import Tensor


def lora_linear(x: Tensor, w: Tensor, a: Tensor, b: Tensor, alpha: float) -> Tensor:
    """The frozen layer plus its update of rank r, which is never formed as a matrix."""
    rank = a.shape[-1]
    update = (x @ a) @ b  # (..., r), then (..., d_out)
    return x @ w + (alpha / rank) * update
