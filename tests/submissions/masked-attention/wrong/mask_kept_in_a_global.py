# backend: numpy
# mistake: state-kept
import numpy as np

BIAS = {}


def masked_attention(q, k, v, mask):
    if mask.shape not in BIAS:
        BIAS[mask.shape] = np.where(mask, 0.0, -np.inf).astype(q.dtype)
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5 + BIAS[mask.shape]
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0))
    total = e.sum(-1, keepdims=True)
    return (e / np.where(total == 0, 1, total)).astype(q.dtype) @ v
