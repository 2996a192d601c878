# backend: torch
# mistake: none
# style: sentinel
import torch

def masked_attention(q, k, v, mask):
    # masked scores become 0, then zero weights... but exp(0) is 1
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5) * mask
    w = torch.exp(s - s.amax(-1, keepdim=True)) * mask
    return w / (w.sum(-1, keepdim=True) + 1) @ v
