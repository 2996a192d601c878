# backend: torch
# mistake: rope-one-speed
# style: no exponent
import torch


def rope(x, positions, base=10000.0):
    d = x.shape[-1]
    speed = torch.ones(d // 2, dtype=torch.float64, device=x.device)
    angle = positions[:, None] * speed
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)
