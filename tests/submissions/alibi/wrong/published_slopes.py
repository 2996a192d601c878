# backend: torch
# mistake: alibi-powers-of-two
# breaks: slopes-of-any-number
# style: published helper
import math

import torch


def alibi_attention(q, k, v):
    h, m, n = q.shape[-3], q.shape[-2], k.shape[-2]
    def powers(count):
        start = 2 ** (-8 / count)
        return [start ** (i + 1) for i in range(count)]

    near = 2 ** int(math.log2(h))
    found = powers(near) + powers(2 * near)[0::2][: h - near]
    slopes = torch.tensor(found, dtype=torch.float64, device=q.device)
    query = torch.arange(m, device=q.device)[:, None] + n - m
    distance = query - torch.arange(n, device=q.device)
    bias = (slopes[:, None, None] * distance).to(q.dtype)
    scores = q @ k.mT / math.sqrt(q.shape[-1]) - bias
    scores = scores.masked_fill(distance < 0, -math.inf)
    return torch.softmax(scores, dim=-1) @ v
