# backend: torch
# mistake: none
# breaks: mask-broadcasts
# style: shape-test
import torch

def masked_attention(q, k, v, mask):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    if mask.shape == s.shape:
        s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1).nan_to_num() @ v
