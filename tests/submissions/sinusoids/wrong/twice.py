# backend: torch
# mistake: positions-twice
# breaks: added-once
# style: added and added again
import torch


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    speed = base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    angle = positions[:, None] * speed
    pe = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(-2).to(x.dtype)
    x = x + pe
    return x + pe
