# backend: torch
# style: einsum
import torch

def split_heads(x, num_heads):
    w = x.shape[-1]
    pick = torch.eye(w, dtype=x.dtype, device=x.device).reshape(w, num_heads, w // num_heads)
    return torch.einsum("...nw,whd->...hnd", x, pick)

def merge_heads(x):
    h, n, d = x.shape[-3:]
    pick = torch.eye(h * d, dtype=x.dtype, device=x.device).reshape(h, d, h * d)
    return torch.einsum("...hnd,hdw->...nw", x, pick)
