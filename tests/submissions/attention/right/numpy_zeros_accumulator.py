# backend: numpy
# style: dtype
import numpy as np

def attention(q, k, v):
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    out = np.zeros((*s.shape[:-1], v.shape[-1]))
    for j in range(k.shape[-2]):
        out += w[..., :, j, None] * v[..., None, j, :]
    return out
