# backend: numpy
# mistake: scale-multiplied
# style: einsum
import numpy as np

def attention(q, k, v):
    s = np.einsum("...md,...nd->...mn", q * q.shape[-1] ** 0.5, k)
    e = np.exp(s - np.amax(s, -1, keepdims=True))
    return np.einsum("...mn,...nv->...mv", e / np.sum(e, -1, keepdims=True), v)
