# backend: numpy
# mistake: scale-by-constant
import numpy as np

D_HEAD = 64


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def attention(q, k, v):
    return softmax(q @ np.swapaxes(k, -1, -2) / D_HEAD**0.5) @ v
