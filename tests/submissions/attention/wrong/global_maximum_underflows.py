# backend: numpy
# mistake: softmax-underflow
# style: numpy
import numpy as np

def attention(q, k, v):
    # one maximum for everything: rows far below it vanish to 0 / 0
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    e = np.exp(s - s.max())
    return e / e.sum(-1, keepdims=True) @ v
