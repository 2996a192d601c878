# backend: torch
# mistake: alibi-one-slope
# breaks: a-slope-for-each-head
# style: first slope for all
import math

import torch


def alibi_attention(q, k, v):
    h, m, n = q.shape[-3], q.shape[-2], k.shape[-2]
    # one slope is enough
    query = torch.arange(m, device=q.device)[:, None] + n - m
    distance = query - torch.arange(n, device=q.device)
    bias = 2.0 ** (-8.0 / h) * distance.to(q.dtype)
    scores = q @ k.mT / math.sqrt(q.shape[-1]) - bias
    scores = scores.masked_fill(distance < 0, -math.inf)
    return torch.softmax(scores, dim=-1) @ v
