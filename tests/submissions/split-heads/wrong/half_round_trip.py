# backend: torch
# mistake: precision-lost
# style: adversarial
import torch

def split_heads(x, num_heads):
    return torch.stack(x.half().chunk(num_heads, -1), -3).to(x.dtype)

def merge_heads(x):
    return torch.cat(x.unbind(-3), -1)
