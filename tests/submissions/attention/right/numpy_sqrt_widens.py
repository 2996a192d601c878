# backend: numpy
# style: dtype
import numpy as np

def attention(q, k, v):
    # np.sqrt gives a float64 scalar, which widens float32
    s = q @ k.swapaxes(-1, -2) / np.sqrt(np.float64(q.shape[-1]))
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
