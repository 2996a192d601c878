# backend: torch
# mistake: none
# style: adversarial
import torch

def split_heads(x, num_heads):
    return x.reshape(x.shape[0], -1, num_heads, x.shape[-1] // num_heads).transpose(1, 2)

def merge_heads(x):
    return torch.cat(x.unbind(-3), -1)
