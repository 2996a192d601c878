# backend: torch
# mistake: not-differentiable
# style: no-grad
import torch

@torch.no_grad()
def attention(q, k, v):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v
