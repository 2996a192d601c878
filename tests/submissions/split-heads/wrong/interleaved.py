# backend: torch
# mistake: heads-interleaved
# breaks: own-columns
# style: strided
import torch

def split_heads(x, num_heads):
    return torch.stack([x[..., i::num_heads] for i in range(num_heads)], dim=-3)

def merge_heads(x):
    *lead, h, n, d = x.shape
    return x.permute(*range(len(lead)), -2, -1, -3).reshape(*lead, n, h * d)
