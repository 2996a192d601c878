# backend: torch
# style: einsum
import torch


def weighted_sum(weights, values):
    return torch.einsum("n,nd->d", weights, values)
