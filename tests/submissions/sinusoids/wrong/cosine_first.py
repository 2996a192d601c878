# backend: torch
# mistake: waves-cosine-first
# breaks: alternating
# style: stack
import torch


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    speed = base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    angle = positions[:, None] * speed
    return x + torch.stack((angle.cos(), angle.sin()), dim=-1).flatten(-2).to(x.dtype)
