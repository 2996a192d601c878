# backend: torch
# mistake: mask-on-queries
# breaks: queries-left-alone
# style: rows
import torch

def padded_attention(q, k, v, lengths):
    real = torch.arange(q.shape[1], device=q.device) < lengths[:, None]
    out = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ v
    return out * real[:, :, None]
