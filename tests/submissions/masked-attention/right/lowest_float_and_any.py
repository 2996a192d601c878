# backend: torch
import torch

def masked_attention(q, k, v, mask):
    lowest = torch.finfo(q.dtype).min
    scores = (q / q.shape[-1] ** 0.5) @ k.mT
    scores = torch.where(mask, scores, lowest)
    weights = scores.softmax(-1).where(mask, 0)
    return weights @ v
