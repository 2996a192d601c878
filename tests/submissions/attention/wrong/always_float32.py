# backend: torch
# mistake: none
# style: dtype
import torch

def attention(q, k, v):
    q, k, v = q.float(), k.float(), v.float()
    return torch.softmax(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5, -1) @ v
