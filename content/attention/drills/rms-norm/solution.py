# backend: torch
import torch
from torch import Tensor


def rms_norm(x: Tensor, gain: Tensor, eps: float = 1e-5) -> Tensor:
    """Divide each row by the root of its mean square, then multiply by `gain`."""
    mean_square = x.square().mean(dim=-1, keepdim=True)  # (..., n, 1)
    return x * torch.rsqrt(mean_square + eps) * gain
