# backend: torch
# mistake: none
# style: in place
import torch


def masked_attention(q, k, v, mask):
    with torch.no_grad():
        q /= q.shape[-1] ** 0.5
    scores = (q @ k.mT).masked_fill(~mask, torch.finfo(q.dtype).min)
    return (scores.softmax(-1) * mask) @ v
