# backend: numpy
# mistake: softmax-unstable
# style: dtype
import numpy as np

def attention(q, k, v):
    e = np.exp(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    return e / e.sum(-1, keepdims=True) @ v
