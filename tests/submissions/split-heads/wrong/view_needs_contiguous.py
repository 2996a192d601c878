# backend: torch
# mistake: none
# Uses view, which raises for a tensor whose last axis is not contiguous (a transposed input).
import torch

def split_heads(x, num_heads):
    *batch, n, width = x.shape
    return x.view(*batch, n * num_heads, width // num_heads).view(*batch, n, num_heads, width // num_heads).transpose(-2, -3)

def merge_heads(x):
    *batch, h, n, d = x.shape
    return x.transpose(-2, -3).reshape(*batch, n, h * d)
