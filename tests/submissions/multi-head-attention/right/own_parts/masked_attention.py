import torch


def masked_attention(q, k, v, mask):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    scores = torch.where(mask, scores, torch.finfo(q.dtype).min)
    return torch.where(mask, scores.softmax(-1), 0.0) @ v
