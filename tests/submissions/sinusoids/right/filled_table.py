# backend: torch
# style: empty table, filled by slices
import torch


def add_sinusoids(x, positions, base=10000.0):
    n, d = x.shape[-2:]
    div = base ** (torch.arange(0, d, 2, device=x.device).double() / d)
    pe = torch.zeros(n, d, dtype=torch.float64, device=x.device)
    pe[:, 0::2] = torch.sin(positions[:, None] / div)
    pe[:, 1::2] = torch.cos(positions[:, None] / div)
    return x + pe.to(x.dtype)
