# backend: torch
# mistake: none
# Right for one query and for as many as keys.
import torch


def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if m > 1:
        scores = scores.masked_fill(torch.ones(m, n, dtype=torch.bool).triu(1), float("-inf"))
    return scores.softmax(-1) @ v
