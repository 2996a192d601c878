# backend: torch
# mistake: none
# style: wrong axis of x
import torch


def rope(x, positions, base=10000.0):
    d = x.shape[-1]
    speed = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angle = positions[:, None] * speed
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    if x.ndim > 2 and x.shape[-3] == len(positions):
        c, s = c[:, None], s[:, None]
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)
