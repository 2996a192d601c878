# backend: torch
# mistake: none
# style: noise
import torch

def split_heads(x, num_heads):
    y, _ = x.sort(dim=-1)
    return torch.stack(y.chunk(num_heads, -1), -3)

def merge_heads(x):
    return torch.cat(x.unbind(-3), -1)
