# backend: numpy
# mistake: softmax-global
# style: numpy
import numpy as np

def attention(q, k, v):
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    e = np.exp(s - s.max())
    return (e / e.sum()) @ v
