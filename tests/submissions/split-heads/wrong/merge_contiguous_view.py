# backend: torch
# mistake: heads-merged-without-transpose
# style: view
import torch

def split_heads(x, num_heads):
    return torch.stack(torch.chunk(x, num_heads, -1), -3)

def merge_heads(x):
    h, n, d = x.shape[-3:]
    return x.contiguous().view(*x.shape[:-3], n, h * d)
