# backend: torch
# style: exp of logarithms, as in a well-known tutorial
import math

import torch


def add_sinusoids(x, positions, base=10000.0):
    d = x.size(-1)
    div_term = torch.exp(torch.arange(0, d, 2, device=x.device).double() * (-math.log(base) / d))
    angle = positions.unsqueeze(1) * div_term
    return x + torch.stack((angle.sin(), angle.cos()), 2).reshape(-1, d).to(x)
