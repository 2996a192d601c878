# backend: torch
# mistake: mask-empty-rows-uniform
# breaks: zeros-for-empty-sequence
# style: finite-fill
import torch

def padded_attention(q, k, v, lengths):
    pad = torch.arange(k.shape[1], device=k.device) >= lengths[:, None]
    s = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
    s = s.masked_fill(pad[:, None], torch.finfo(s.dtype).min)
    return s.softmax(-1) @ v
