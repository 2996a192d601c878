# backend: torch
import torch


def masked_attention(q, k, v, mask):
    scores = torch.matmul(q, k.transpose(-1, -2)).mul(q.size(-1) ** -0.5)
    hidden = mask.logical_not()
    weights = scores.masked_fill(hidden, torch.finfo(q.dtype).min).softmax(dim=-1)
    return torch.matmul(weights.masked_fill(hidden, 0.0), v)
