# backend: torch
# mistake: input-mutated
# style: slices
import torch


def rope(x, positions, base=10000.0):
    d = x.shape[-1]
    speed = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angle = positions[:, None] * speed
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., ::2], x[..., 1::2]
    first, second = a * c - b * s, a * s + b * c
    with torch.no_grad():
        x[..., ::2], x[..., 1::2] = first.detach(), second.detach()
    return x * 1
