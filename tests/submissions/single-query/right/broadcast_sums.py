# backend: torch
# style: any layout, any dtype
import torch


def attend(q, k, v):
    scores = (k * q).sum(1) / q.numel() ** 0.5
    weights = torch.exp(scores - scores.max())
    return (weights[:, None] * v).sum(0) / weights.sum()
