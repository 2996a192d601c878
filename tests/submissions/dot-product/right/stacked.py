# backend: torch
# style: row by row
import torch


def dot_product(a, b):
    return torch.stack([(a * row).sum() for row in b])
