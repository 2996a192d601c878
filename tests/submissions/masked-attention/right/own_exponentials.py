# backend: torch
import torch


def masked_attention(q, k, v, mask):
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~mask, float("-inf"))
    top = scores.detach().amax(-1, keepdim=True)
    e = torch.exp(scores - top.masked_fill(top.isinf(), 0))
    total = e.sum(-1, keepdim=True)
    return e / total.masked_fill(total == 0, 1) @ v
