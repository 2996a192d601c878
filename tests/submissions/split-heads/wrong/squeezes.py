# backend: torch
# mistake: none
# style: adversarial
import torch

def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, -1), -3).squeeze()

def merge_heads(x):
    return torch.cat(x.unbind(-3), -1)
