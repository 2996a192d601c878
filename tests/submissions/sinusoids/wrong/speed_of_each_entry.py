# backend: torch
# mistake: waves-speed-of-each-entry
# breaks: one-speed-a-pair
# style: every entry has its exponent
import torch


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-torch.arange(d, device=x.device).double() / d)
    pe = torch.zeros_like(angle)
    pe[:, 0::2], pe[:, 1::2] = angle[:, 0::2].sin(), angle[:, 1::2].cos()
    return x + pe.to(x.dtype)
