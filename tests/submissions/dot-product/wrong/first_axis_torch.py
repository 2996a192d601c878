# backend: torch
# mistake: dot-over-rows
# breaks: one-per-row
# style: einsum
import torch


def dot_product(a, b):
    return torch.einsum("d,nd->d", a, b)
