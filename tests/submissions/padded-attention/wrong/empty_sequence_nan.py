# backend: torch
# mistake: mask-nan-rows
# breaks: zeros-for-empty-sequence
# style: masked-fill
import torch

def padded_attention(q, k, v, lengths):
    pad = torch.arange(k.shape[1], device=k.device) >= lengths[:, None]
    s = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).masked_fill(pad[:, None], -torch.inf)
    return torch.softmax(s, -1) @ v
