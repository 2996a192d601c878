# backend: torch
# mistake: mask-empty-rows-uniform
# breaks: zeros-for-empty-rows
# style: masked-fill
import torch

def masked_attention(q, k, v, mask):
    # finite fill: a row without keys becomes the mean of all values
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
    return s.softmax(-1) @ v
