# backend: torch
# mistake: waves-wrong-exponent
# style: i/d
import torch


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    speed = base ** (-torch.arange(d // 2, device=x.device).double() / d)
    angle = positions[:, None] * speed
    return x + torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(-2).to(x.dtype)
