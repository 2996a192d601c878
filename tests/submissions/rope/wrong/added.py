# backend: torch
# mistake: rope-added
# style: added table
import torch


def rope(x, positions, base=10000.0):
    n, d = x.shape[-2:]
    speed = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angle = positions[:, None] * speed
    table = torch.empty(n, d, dtype=x.dtype, device=x.device)
    table[:, 0::2], table[:, 1::2] = angle.sin().to(x.dtype), angle.cos().to(x.dtype)
    return x + table
