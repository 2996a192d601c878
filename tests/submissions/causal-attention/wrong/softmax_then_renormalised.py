# backend: torch
# mistake: mask-hidden-in-softmax
import torch


def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1)
    weights = weights.tril(n - m)
    return weights / weights.sum(-1, keepdim=True) @ v
