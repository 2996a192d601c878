# backend: numpy
# style: np.tri
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def sliding_window_attention(q, k, v, window):
    m, n = q.shape[-2], k.shape[-2]
    allowed = np.tri(m, n, n - m, dtype=bool) & ~np.tri(m, n, n - m - window, dtype=bool)
    scores = q @ k.swapaxes(-2, -1) / q.shape[-1] ** 0.5
    return softmax(np.where(allowed, scores, -np.inf)) @ v
