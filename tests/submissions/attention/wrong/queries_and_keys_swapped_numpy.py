# backend: numpy
# mistake: query-key-swapped
# style: numpy
import numpy as np

def attention(key, query, value):
    s = query @ np.swapaxes(key, -1, -2) / key.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ value
