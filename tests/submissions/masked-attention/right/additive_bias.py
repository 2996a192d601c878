# backend: torch
# style: additive-mask
import torch

def masked_attention(q, k, v, mask):
    s = q @ k.transpose(-2, -1) * (1 / q.shape[-1] ** 0.5)
    lowest = torch.finfo(s.dtype).min / 2
    bias = torch.zeros_like(mask, dtype=s.dtype).masked_fill(~mask, lowest)
    w = (s + bias).softmax(-1)
    return (w * mask.any(-1, keepdim=True)) @ v
