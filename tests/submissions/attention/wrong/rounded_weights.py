# backend: numpy
# mistake: precision-lost
# style: numpy
import numpy as np

def attention(q, k, v):
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    w = (e / e.sum(-1, keepdims=True)).astype(np.float16)
    return (w.astype(q.dtype)) @ v
