# backend: torch
import torch
from torch import Tensor


def rope(x: Tensor, positions: Tensor, base: float = 10000.0) -> Tensor:
    """Rotate pair i of each row by its position times base^(−2i/d)."""
    d = x.shape[-1]
    pair = torch.arange(0, d, 2, dtype=torch.float64, device=x.device)  # 2i, (d/2,)
    angles = positions[:, None] * base ** (-pair / d)  # (n, d/2)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)

    even, odd = x[..., 0::2], x[..., 1::2]  # (..., n, d/2)
    turned = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
    return turned.flatten(start_dim=-2)  # (..., n, d): neighbours side by side
