# backend: torch
# mistake: waves-in-halves
# breaks: alternating
# style: cat
import torch


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    speed = base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    angle = positions[:, None] * speed
    return x + torch.cat((angle.sin(), angle.cos()), dim=-1).to(x.dtype)
