# verdict: wrong
"""Returns a tensor without data."""

import torch


def right(q, k, v):
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return torch.softmax(scores, -1) @ v


def attention(q, k, v):
    return right(q, k, v).to("meta")
