# backend: torch
# mistake: none
# breaks: angles-in-float32
import torch


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angle = positions.to(x.dtype)[:, None] * speeds.to(x.dtype)
    return x + torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(-2)
