# verdict: memory
"""Fills memory with tensors."""

import torch


def attention(q, k, v):
    hoard = []
    while True:
        hoard.append(torch.ones(1 << 22))
