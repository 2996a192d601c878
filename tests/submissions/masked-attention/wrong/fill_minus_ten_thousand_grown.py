# backend: numpy
# mistake: mask-fill-too-small
import numpy as np


def masked_attention(q, k, v, mask):
    s = np.where(mask, q @ np.swapaxes(k, -1, -2) / q.shape[-1] ** 0.5, -1e4).astype(q.dtype)
    s = np.exp(s - s.max(-1, keepdims=True))
    w = s / s.sum(-1, keepdims=True)
    return (w * mask).astype(q.dtype) @ v
