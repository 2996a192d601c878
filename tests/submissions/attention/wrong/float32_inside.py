# backend: torch
# mistake: precision-lost
# style: dtype
import torch

def attention(q, k, v):
    s = q.float() @ k.float().mT / q.shape[-1] ** 0.5
    return (torch.softmax(s, -1) @ v.float()).to(q.dtype)
