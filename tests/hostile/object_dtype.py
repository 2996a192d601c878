# verdict: wrong
"""Returns the right values as an array of objects."""

import numpy
import torch


def right(q, k, v):
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return torch.softmax(scores, -1) @ v


def attention(q, k, v):
    return right(q, k, v).numpy().astype(object)
