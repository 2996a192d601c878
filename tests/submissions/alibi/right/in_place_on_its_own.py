# backend: torch
# style: in place on the scores
import math

import torch


def slopes_of(heads):
    return [2.0 ** (-8.0 * (head + 1) / heads) for head in range(heads)]


def alibi_attention(q, k, v):
    m, n = q.shape[-2:][0], k.shape[-2]
    scores = torch.matmul(q, k.transpose(-1, -2)).div_(math.sqrt(q.shape[-1]))
    at = torch.arange(n - m, n, device=q.device)
    back = at[:, None] - torch.arange(n, device=q.device)[None]
    for head, slope in enumerate(slopes_of(q.shape[-3])):
        scores[..., head, :, :] -= slope * back.to(q.dtype)
    scores.masked_fill_(back < 0, -math.inf)
    return torch.matmul(torch.softmax(scores, -1), v)
