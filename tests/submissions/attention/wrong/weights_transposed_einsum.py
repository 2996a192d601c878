# backend: numpy
# mistake: weights-transposed
# style: einsum
import numpy as np

def attention(q, k, v):
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return np.einsum("...ji,...jv->...iv", w, v)
