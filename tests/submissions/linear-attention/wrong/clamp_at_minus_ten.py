# backend: torch
# mistake: none
# style: clamp
import torch

def phi(x):
    x = x.clamp(min=-10.0)
    return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))

def linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    return q @ (k.mT @ v) / (q @ k.sum(-2, keepdim=True).mT)
