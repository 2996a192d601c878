# backend: torch
import torch
from torch import Tensor


def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """Bring each row to mean 0 and variance 1, then multiply by `gain` and add `bias`."""
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)  # (..., n, 1)
    return (x - mean) / torch.sqrt(variance + eps) * gain + bias
