# backend: torch
# style: a table of angles made beforehand, as long as the model's context
import torch

LONGEST = 4096


def rope(x, positions, base=10000.0):
    d = x.shape[-1]
    speed = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    table = torch.arange(LONGEST, device=x.device)[:, None] * speed
    angle = table[positions.clamp(max=LONGEST - 1)]
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)
