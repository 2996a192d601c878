# backend: torch
import torch

def split_heads(x, num_heads):
    return torch.stack(x.tensor_split(num_heads, dim=-1), dim=-3)

def merge_heads(x):
    return torch.cat(x.unbind(dim=-3), dim=-1)
