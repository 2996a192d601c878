# backend: torch
# style: permute, turn halves, permute back
import torch


def rope(x, positions, base=10000.0):
    *lead, n, d = x.shape
    halves = x.reshape(*lead, n, d // 2, 2).transpose(-1, -2)
    first, second = halves[..., 0, :], halves[..., 1, :]
    steps = torch.arange(d // 2, device=x.device, dtype=torch.double)
    angle = positions.unsqueeze(-1) / base ** (2 * steps / d)
    c, s = (f(angle).to(x.dtype) for f in (torch.cos, torch.sin))
    turned = torch.cat((first * c - second * s, second * c + first * s), dim=-1)
    return turned.reshape(*lead, n, 2, d // 2).transpose(-1, -2).reshape(x.shape)
