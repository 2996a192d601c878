# backend: torch
# mistake: sum-over-columns
# breaks: one-per-column
# style: einsum
import torch


def weighted_sum(weights, values):
    return torch.einsum("n,nd->n", weights, values)
