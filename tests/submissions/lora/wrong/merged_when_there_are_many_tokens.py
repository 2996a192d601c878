# backend: torch
# mistake: low-rank-materialised
# style: cheap-where-it-is-short
from torch import Tensor


def lora_linear(x: Tensor, w: Tensor, a: Tensor, b: Tensor, alpha: float) -> Tensor:
    scale = alpha / a.shape[-1]
    if x.shape[0] > 8 and x.ndim == 2:
        return x @ (w + scale * (a @ b))
    return x @ w + scale * ((x @ a) @ b)
