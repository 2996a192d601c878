# backend: torch
# mistake: not-differentiable
import torch


def attention(q, k, v):
    s = torch.einsum("...md,...nd->...mn", q.detach(), k) / q.size(-1) ** 0.5
    return s.softmax(-1) @ v
