# backend: torch
# mistake: scale-by-queries
import torch


def attention(q, k, v):
    scale = q.shape[-2] ** 0.5
    return ((q @ k.mT) / scale).softmax(-1) @ v
