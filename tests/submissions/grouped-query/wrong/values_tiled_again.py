# backend: numpy
# mistake: groups-tiled-once
import numpy as np


def grouped_query_attention(q, k, v):
    times = q.shape[1] // k.shape[1]
    k = np.repeat(k, times, axis=1)
    v = np.tile(v, (1, times, 1, 1))
    s = q @ k.swapaxes(2, 3) / q.shape[3] ** 0.5
    w = np.exp(s - s.max(axis=3, keepdims=True))
    return w / w.sum(axis=3, keepdims=True) @ v
