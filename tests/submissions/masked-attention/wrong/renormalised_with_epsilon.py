# backend: torch
# mistake: mask-hidden-in-softmax
import torch


def masked_attention(q, k, v, mask):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    probs = scores.softmax(dim=-1) * mask.to(scores.dtype)
    probs = probs / (probs.sum(dim=-1, keepdim=True) + 1e-12)
    return torch.matmul(probs, v)
