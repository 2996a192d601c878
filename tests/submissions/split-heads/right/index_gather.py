# backend: torch
# style: adversarial
import torch

def split_heads(x, num_heads):
    d = x.shape[-1] // num_heads
    columns = torch.arange(num_heads * d).view(num_heads, d)
    return x[..., columns].transpose(-3, -2)
def merge_heads(x):
    h, n, d = x.shape[-3:]
    c = torch.arange(h * d)
    return x.transpose(-3, -2)[..., c // d, c % d]
