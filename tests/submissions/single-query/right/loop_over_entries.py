# backend: torch
# style: loops
import torch


def attend(q, k, v):
    scores = []
    for key in k:
        total = torch.zeros((), dtype=q.dtype)
        for a, b in zip(q, key):
            total = total + a * b
        scores.append(total / len(q) ** 0.5)
    top = max(scores)
    weights = [torch.exp(score - top) for score in scores]
    out = torch.zeros(v.shape[-1], dtype=v.dtype)
    for weight, value in zip(weights, v):
        out = out + weight * value
    return out / sum(weights)
