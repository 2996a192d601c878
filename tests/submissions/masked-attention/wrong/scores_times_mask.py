# backend: torch
# mistake: mask-multiplied
# style: matmul
import torch

def masked_attention(q, k, v, mask):
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5) * mask
    return torch.softmax(s, dim=-1) @ v
