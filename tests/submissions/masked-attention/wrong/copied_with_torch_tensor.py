# backend: torch
# mistake: not-differentiable
# style: copies
import torch


def masked_attention(q, k, v, mask):
    q, k, v = (torch.tensor(each.tolist(), dtype=each.dtype) for each in (q, k, v))
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~mask, torch.finfo(q.dtype).min)
    return (scores.softmax(-1) * mask) @ v
