# backend: torch
# mistake: none
import torch


def softmax(x):
    shifted = x - x.max(dim=-1, keepdim=True).values
    powers = torch.exp(torch.clamp(shifted, min=-50.0))
    return powers / powers.sum(dim=-1, keepdim=True)
