# backend: torch
# mistake: flash-sum-not-rescaled
import math
import torch


def flash_attention(q, k, v, block_size):
    running_max = torch.full((*q.shape[:-1], 1), -math.inf, dtype=q.dtype)
    running_sum = torch.zeros_like(running_max)
    out = torch.zeros((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)
    for keys, values in zip(k.split(block_size, -2), v.split(block_size, -2)):
        scores = q @ keys.transpose(-1, -2) / math.sqrt(q.shape[-1])
        new_max = torch.maximum(running_max, scores.amax(-1, keepdim=True))
        weights = torch.exp(scores - new_max)
        out = out * torch.exp(running_max - new_max) + weights @ values
        running_sum = running_sum + weights.sum(-1, keepdim=True)
        running_max = new_max
    return out / running_sum
