# backend: torch
# mistake: none
# style: clamp
import torch

def phi(x):
    return torch.where(x > 0, x.clamp(max=6.0) + 1, x.clamp(max=0).exp())

def linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    return q @ (k.mT @ v) / (q @ k.sum(-2, keepdim=True).mT)
