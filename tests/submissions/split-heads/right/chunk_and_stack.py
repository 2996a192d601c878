# backend: torch
# style: chunk-stack
import torch

def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=-3)

def merge_heads(x):
    return torch.cat(x.unbind(dim=-3), dim=-1)
