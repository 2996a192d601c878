# backend: torch
# mistake: linear-divided-by-count
import torch


def linear_attention(q, k, v):
    phi = lambda x: torch.where(x > 0, x + 1, torch.exp(torch.clamp(x, max=0)))
    return phi(q) @ (phi(k).transpose(-1, -2) @ v) / k.shape[-2]
