# backend: torch
# style: exponential of logarithms
import math

import torch


def rope(x, positions, base=10000.0):
    width = x.size(-1)
    even_places = torch.arange(0, width, 2, device=x.device, dtype=torch.float64)
    speed = torch.exp(even_places * (-math.log(base) / width))
    angle = torch.einsum("i,j->ij", positions.to(torch.float64), speed)
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    c, s = torch.cos(angle).to(x), torch.sin(angle).to(x)
    return torch.stack([a * c - b * s, a * s + b * c], -1).flatten(-2)
