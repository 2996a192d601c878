# backend: torch
# mistake: gradient-not-finite
# The exponential of a hidden score overflows before it is replaced: 0 times infinity backwards.
import torch


def masked_attention(q, k, v, mask):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    top = s.masked_fill(~mask, float("-inf")).amax(-1, keepdim=True)
    top = top.masked_fill(top == float("-inf"), 0.0)
    weights = torch.where(mask, torch.exp(s - top), 0.0)
    total = weights.sum(-1, keepdim=True)
    return weights / torch.where(total == 0, 1.0, total) @ v
