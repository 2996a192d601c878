# backend: torch
# mistake: gradient-not-finite
# exp(x) overflows where it is not used, and its gradient is 0 times infinity.
import torch


def phi(x):
    return torch.where(x > 0, x + 1, torch.exp(x))


def linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    return q @ (k.mT @ v) / (q @ k.sum(-2)[..., None])
