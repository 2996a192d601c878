# backend: torch
# mistake: scale-by-first-axis
import math
import torch


def attention(q, k, v):
    d = q.shape[0]
    weights = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(d), dim=-1)
    return weights @ v
