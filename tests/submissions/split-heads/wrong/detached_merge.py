# backend: torch
# mistake: not-differentiable
# style: adversarial
import torch

def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, -1), -3)

def merge_heads(x):
    return torch.cat(x.detach().unbind(-3), -1)
