# backend: torch
# mistake: embedding-scaled
# breaks: unscaled
# style: as the first transformer
import torch


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    speed = base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    angle = positions[:, None] * speed
    return x * d**0.5 + torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(-2).to(x.dtype)
