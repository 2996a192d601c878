# backend: torch
# mistake: none
import torch


def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, x.shape[-1] // num_heads)).transpose(-2, -3)


def merge_heads(x):
    n = x.shape[-2]
    return x.movedim(-2, 0).reshape(n, x.numel() // n)
