# verdict: wrong
"""Returns a generator from a plain function."""

import torch


def right(q, k, v):
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return torch.softmax(scores, -1) @ v


def attention(q, k, v):
    return (row for row in right(q, k, v))
