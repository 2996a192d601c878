# backend: torch
# mistake: none
# style: epsilon
import torch


def masked_attention(q, k, v, mask):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    scores = scores.masked_fill(~mask, -1e30)
    e = torch.exp(scores - scores.amax(-1, keepdim=True)) * mask
    return (e / (e.sum(-1, keepdim=True) + 1e-8)) @ v
