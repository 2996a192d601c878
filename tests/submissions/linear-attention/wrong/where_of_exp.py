# backend: torch
# mistake: gradient-not-finite
# Both branches of `where` are computed: exp overflows for large x, and backwards 0 times infinity.
import torch


def linear_attention(q, k, v):
    q, k = (torch.where(x > 0, x + 1, torch.exp(x)) for x in (q, k))
    state = k.transpose(-2, -1) @ v
    return q @ state / (q @ k.sum(-2).unsqueeze(-1))
