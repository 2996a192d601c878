# backend: torch
import torch


def split_heads(x, num_heads):
    d = x.size(-1) // num_heads
    return torch.stack([x.narrow(-1, i * d, d) for i in range(num_heads)], dim=-3)


def merge_heads(x):
    return torch.cat(x.unbind(dim=-3), dim=-1)
