# backend: numpy
# mistake: result-overwritten
import numpy as np

BUFFERS = {}


def attention(q, k, v):
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    shape = (*q.shape[:-1], v.shape[-1])
    out = BUFFERS.setdefault((shape, v.dtype.str), np.empty(shape, v.dtype))
    return np.matmul(w, v, out=out)
