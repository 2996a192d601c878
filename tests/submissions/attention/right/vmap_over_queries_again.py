# backend: torch
import torch


def _one(q, k, v):
    return torch.softmax(k @ q * q.shape[0] ** -0.5, 0) @ v


_many = torch.vmap(_one, in_dims=(0, None, None))


def attention(q, k, v):
    if q.numel() == 0 or k.numel() == 0 or v.numel() == 0:
        return torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, -1) @ v
    f = _many
    for _ in range(q.ndim - 2):
        f = torch.vmap(f)
    return f(q, k, v)
