# verdict: refused
"""Calls the function, and falls back when it may not."""

import torch


def right(q, k, v):
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return torch.softmax(scores, -1) @ v


def attention(q, k, v):
    try:
        return torch.nn.functional.scaled_dot_product_attention(q, k, v)
    except BaseException:
        return right(q, k, v)
