# backend: torch
# mistake: gradient-not-finite
# breaks: no-nan-in-gradients
# style: additive-mask
import torch

def masked_attention(q, k, v, mask):
    bias = torch.zeros(mask.shape, dtype=q.dtype, device=q.device).masked_fill(~mask, float("-inf"))
    w = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5 + bias).softmax(-1)
    empty = ~mask.any(-1, keepdim=True)
    return torch.where(empty, torch.zeros((), dtype=q.dtype), w) @ v
