# backend: numpy
# mistake: none
import numpy as np

MASKS = {}


def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    mask = MASKS.setdefault(n, np.tri(m, n, n - m, dtype=bool))
    s = np.where(mask, q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5, -np.inf)
    w = np.exp(s - s.max(-1, keepdims=True))
    return (w / w.sum(-1, keepdims=True)) @ v
