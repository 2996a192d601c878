# backend: torch
# style: addmm-style
import torch

def low_rank(x, a, b):
    for factor in (a, b):
        x = torch.matmul(x, factor)
    return x

def lora_linear(x, w, a, b, alpha):
    return torch.add(torch.matmul(x, w), low_rank(x, a, b), alpha=alpha / a.size(-1))
