# backend: torch
# mistake: gradient-not-finite
import torch


def masked_attention(q, k, v, mask):
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(scores.softmax(-1) @ v)
