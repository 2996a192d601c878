# backend: numpy
# mistake: scale-by-value-width
import numpy as np


def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    s = q @ k.swapaxes(-1, -2) / v.shape[-1] ** 0.5
    s = np.where(np.tri(m, n, n - m, dtype=bool), s, -np.inf).astype(q.dtype)
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ v
