# backend: torch
# style: 2 by 2 matrices
import torch


def rope(x, positions, base=10000.0):
    d = x.shape[-1]
    theta = base ** (-torch.arange(d // 2, dtype=torch.float64, device=x.device) * 2 / d)
    angle = positions.double()[:, None] * theta
    c, s = angle.cos(), angle.sin()
    rotation = torch.stack((torch.stack((c, -s), -1), torch.stack((s, c), -1)), -2).to(x.dtype)
    pairs = x.reshape(*x.shape[:-1], d // 2, 2, 1)
    return (rotation @ pairs).reshape(x.shape)
