# backend: torch
import torch
from torch import Tensor


def add_sinusoids(x: Tensor, positions: Tensor, base: float = 10000.0) -> Tensor:
    """Add to each pair the sine and the cosine of its position times base^(−2i/d)."""
    d = x.shape[-1]
    pair = torch.arange(0, d, 2, dtype=torch.float64, device=x.device)  # 2i, (d/2,)
    angles = positions[:, None] * base ** (-pair / d)  # (n, d/2)
    waves = torch.stack((angles.sin(), angles.cos()), dim=-1)  # (n, d/2, 2)
    return x + waves.flatten(start_dim=-2).to(x.dtype)
