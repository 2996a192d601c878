# verdict: wrong
"""Is right, and writes it over the queries."""

import torch


def right(q, k, v):
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return torch.softmax(scores, -1) @ v


def attention(q, k, v):
    result = right(q, k, v)
    q.zero_()
    return result
