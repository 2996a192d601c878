# backend: torch
# mistake: none
# style: dtype
import torch

def split_heads(x, num_heads):
    return torch.stack(x.float().chunk(num_heads, -1), -3)

def merge_heads(x):
    return torch.cat(x.float().unbind(-3), -1)
