# backend: torch
# mistake: scale-by-value-width
import torch


def attention(q, k, v):
    d_k = v.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) / d_k**0.5
    return torch.matmul(torch.softmax(scores, dim=-1), v)
