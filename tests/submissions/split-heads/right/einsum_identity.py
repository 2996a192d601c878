# backend: torch
# style: adversarial
import torch

def split_heads(x, num_heads):
    return torch.einsum("...nhd->...hnd", x.reshape(*x.shape[:-1], num_heads, x.shape[-1] // num_heads))
def merge_heads(x):
    return torch.einsum("...hnd->...nhd", x).reshape(*x.shape[:-3], x.shape[-2], -1)
