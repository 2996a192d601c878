# backend: numpy
# mistake: scale-by-keys
# style: numpy
import numpy as np

def attention(q, k, v):
    s = q @ k.swapaxes(-1, -2) / k.shape[-2] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
