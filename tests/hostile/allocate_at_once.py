# verdict: memory
"""Asks for more memory than there is."""

import torch


def attention(q, k, v):
    return torch.zeros(1 << 42)
