# backend: torch
# style: rotate every pair
import torch


def swap(x):
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)


def rope(x, positions, base=10000.0):
    d = x.shape[-1]
    inv_freq = 1.0 / base ** (torch.arange(0, d, 2, device=x.device).double() / d)
    angles = torch.outer(positions.double(), inv_freq).repeat_interleave(2, dim=-1)
    return x * angles.cos().to(x.dtype) + swap(x) * angles.sin().to(x.dtype)
