# backend: torch
# mistake: none
# style: hard-coded
import torch

def split_heads(x, num_heads):
    return torch.stack(x.chunk(2, -1), -3)

def merge_heads(x):
    return torch.cat([x[..., 0, :, :], x[..., 1, :, :]], -1)
