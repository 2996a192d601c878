# backend: torch
# mistake: mask-nan-rows
# breaks: zeros-for-empty-rows
# style: masked-fill
import torch

def masked_attention(q, k, v, mask):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    s = s.masked_fill(~mask, float("-inf"))
    return torch.softmax(s, dim=-1) @ v
