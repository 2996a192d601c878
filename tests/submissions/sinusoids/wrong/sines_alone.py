# backend: torch
# mistake: waves-sines-alone
# style: repeated sines
import torch


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    speed = base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    angle = positions[:, None] * speed
    return x + angle.sin().repeat_interleave(2, dim=-1).to(x.dtype)
