# backend: torch
# mistake: none
# style: flatten
import torch

def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, -1), -3)

def merge_heads(x):
    return x.movedim(-3, -2).flatten(-3)
