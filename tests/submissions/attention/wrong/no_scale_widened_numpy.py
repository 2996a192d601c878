# backend: numpy
# mistake: scale-missing
# style: dtype
import numpy as np

def attention(q, k, v):
    s = q @ k.swapaxes(-1, -2)
    e = np.exp(s - s.max(-1, keepdims=True))
    out = np.zeros((*s.shape[:-1], v.shape[-1]))
    out += e / e.sum(-1, keepdims=True) @ v
    return out
