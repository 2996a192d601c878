# backend: numpy
# mistake: mask-hidden-in-softmax
import numpy as np


def masked_attention(q, k, v, mask):
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True)) * mask
    total = e.sum(-1, keepdims=True)
    return e / np.where(total == 0, 1, total).astype(e.dtype) @ v
