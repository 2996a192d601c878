# backend: numpy
# mistake: softmax-unstable
# style: numpy
import numpy as np

def attention(q, k, v):
    w = np.exp(np.einsum("...md,...nd->...mn", q, k) / q.shape[-1] ** 0.5)
    w /= w.sum(-1, keepdims=True)
    return w @ v
