# backend: torch
# mistake: none
# style: hand-written-softmax
import torch

def attention(q, k, v):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    e = torch.exp(s - s.amax(-1, keepdim=True))
    return (e / (e.sum(-1, keepdim=True) + 1e-2)) @ v
