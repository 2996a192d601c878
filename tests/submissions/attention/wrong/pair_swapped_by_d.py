# backend: numpy
# mistake: query-key-swapped, scale-by-d
# style: numpy
import numpy as np

def attention(q, k, v):
    s = k @ q.swapaxes(-1, -2) / q.shape[-1]
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
