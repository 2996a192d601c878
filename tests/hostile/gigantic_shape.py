# verdict: wrong
"""Returns a tensor that is small in memory and huge in shape."""

import torch


def attention(q, k, v):
    return torch.zeros(1).expand(1 << 40)
