# backend: torch
# style: complex numbers
import torch


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    speed = base ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    angle = torch.outer(positions.double(), speed)
    turns = torch.view_as_real(torch.polar(torch.ones_like(angle), angle)).flip(-1)
    return x + turns.flatten(-2).to(x.dtype)
