# backend: numpy
# mistake: groups-tiled-once
import numpy as np


def grouped_query_attention(q, k, v):
    g = q.shape[1] // k.shape[1]
    k, v = np.tile(k, (1, g, 1, 1)), np.repeat(v, g, axis=1)
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ v
