# backend: torch
# style: complex numbers
import torch


def rope(x, positions, base=10000.0):
    pairs = x.double().reshape(*x.shape[:-1], -1, 2).contiguous()
    z = torch.view_as_complex(pairs)
    d = x.shape[-1]
    speed = base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    turns = torch.polar(torch.ones_like(speed).expand(len(positions), -1), positions[:, None] * speed)
    return torch.view_as_real(z * turns).flatten(-2).to(x.dtype)
