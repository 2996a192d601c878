# backend: torch
# mistake: softmax-divided-by-count
import torch


def attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    e = torch.exp(s - s.amax(-1, keepdim=True))
    return (e / e.shape[-1]) @ v
