# backend: torch
# mistake: waves-counted-anew
# breaks: positions-as-given
# style: arange
import torch


def add_sinusoids(x, positions, base=10000.0):
    n, d = x.shape[-2:]
    speed = base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    angle = torch.arange(n, device=x.device)[:, None] * speed
    return x + torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(-2).to(x.dtype)
