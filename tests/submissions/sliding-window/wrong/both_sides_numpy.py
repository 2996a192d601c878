# backend: numpy
# mistake: window-both-sides
# breaks: not-ahead
# style: absolute distance
import numpy as np


def sliding_window_attention(q, k, v, window):
    m, n = q.shape[-2], k.shape[-2]
    query, key = np.arange(n - m, n)[:, None], np.arange(n)
    allowed = np.abs(key - query) < window
    scores = np.where(allowed, q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v
