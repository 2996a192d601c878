# backend: torch
# mistake: softmax-of-negative
import torch


def attention(q, k, v):
    distance = -(q @ k.mT) / q.shape[-1] ** 0.5
    return torch.softmax(distance, dim=-1) @ v
