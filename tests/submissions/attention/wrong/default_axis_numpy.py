# backend: numpy
# mistake: softmax-over-batch
# style: numpy
import numpy as np

def softmax(x, axis=0):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

def attention(q, k, v):
    return softmax(q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5) @ v
