# backend: torch
import torch


def phi(x):
    return torch.relu(x) + torch.exp(-torch.relu(-x))


def linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    ones = torch.ones_like(v[..., :1])
    both = q @ (k.mT @ torch.cat([v, ones], dim=-1))
    return both[..., :-1] / both[..., -1:]
