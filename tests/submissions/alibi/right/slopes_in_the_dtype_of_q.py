# backend: torch
import math
import torch

def alibi_attention(q, k, v):
    h, m, n = q.shape[-3], q.shape[-2], k.shape[-2]
    slopes = 2.0 ** (-8.0 * torch.arange(1, h + 1, dtype=q.dtype) / h)
    distance = torch.arange(n - m, n)[:, None] - torch.arange(n)
    s = q @ k.mT / math.sqrt(q.shape[-1]) - slopes[:, None, None] * distance
    return s.masked_fill(distance < 0, -torch.inf).softmax(-1) @ v
