# backend: torch
import torch


def rope(x, positions, base=10000.0):
    d = x.shape[-1]
    speed = base ** (-2 * torch.arange(d // 2, device=x.device).double() / d)
    angle = positions.double()[:, None] * speed  # (n, d/2)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack([a * cos - b * sin, b * cos + a * sin], -1).flatten(-2)
