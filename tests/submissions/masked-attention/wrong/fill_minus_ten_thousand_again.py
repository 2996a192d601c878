# backend: torch
# mistake: mask-fill-too-small
# Fills with -1e4, so a forbidden key gets weight when the allowed scores lie below that; empty rows are handled.
import torch

def masked_attention(q, k, v, mask):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    s = s.masked_fill(~mask, -1e4)
    w = torch.softmax(s, dim=-1)
    w = w * mask.any(dim=-1, keepdim=True)
    return w @ v
