# verdict: wrong
"""Returns the right values in a sparse tensor."""

import torch


def right(q, k, v):
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return torch.softmax(scores, -1) @ v


def attention(q, k, v):
    return right(q, k, v).to_sparse()
