# backend: torch
# style: loops
import torch

def split_heads(x, num_heads):
    d = x.shape[-1] // num_heads
    heads = [x[..., i * d:(i + 1) * d] for i in range(num_heads)]
    return torch.stack(heads, -3)

def merge_heads(x):
    h, n, d = x.shape[-3:]
    columns = []
    for i in range(h):
        columns.append(x[..., i, :, :])
    return torch.cat(columns, -1)
