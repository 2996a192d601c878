# backend: torch
# mistake: mask-inverted
# style: masked-fill
import torch

def masked_attention(q, k, v, mask):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    s = s.masked_fill(mask, float("-inf"))
    return torch.nan_to_num(s.softmax(-1)) @ v
