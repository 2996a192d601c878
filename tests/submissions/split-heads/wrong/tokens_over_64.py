# backend: torch
# mistake: none
# style: adversarial
import torch

def split_heads(x, num_heads):
    y = x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)
    return torch.cat((y[..., :64, :], y[..., 64:, :].flip(-2)), -2)
def merge_heads(x):
    return x.transpose(-3, -2).flatten(-2)
