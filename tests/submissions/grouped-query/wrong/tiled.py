# backend: numpy
# mistake: groups-tiled
# breaks: neighbours-share
# style: numpy
import numpy as np

def grouped_query_attention(q, k, v):
    r = q.shape[1] // k.shape[1]
    K, V = np.tile(k, (1, r, 1, 1)), np.tile(v, (1, r, 1, 1))
    s = q @ K.swapaxes(2, 3) / q.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ V
