# backend: numpy
# mistake: window-one-more
# breaks: as-many-as-window
# style: two triangles
import numpy as np


def sliding_window_attention(q, k, v, window):
    m, n = q.shape[-2], k.shape[-2]
    query, key = np.arange(n - m, n)[:, None], np.arange(n)
    allowed = np.tri(m, n, n - m, dtype=bool) & ~np.tri(m, n, n - m - window - 1, dtype=bool)
    scores = np.where(allowed, q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v
