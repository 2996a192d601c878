# backend: torch
# mistake: gradient-not-finite
# The exponential of a hidden score overflows before it is replaced: 0 times infinity backwards.
import torch


def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    seen = torch.ones(m, n, dtype=torch.bool, device=q.device).tril(n - m)
    top = s.masked_fill(~seen, float("-inf")).amax(-1, keepdim=True)
    weights = torch.where(seen, torch.exp(s - top), 0.0)
    return weights / weights.sum(-1, keepdim=True) @ v
