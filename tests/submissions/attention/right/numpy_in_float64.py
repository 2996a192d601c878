# backend: numpy
# style: any layout, any dtype
import numpy as np


def softmax(s):
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def attention(q, k, v):
    wide = [y.astype(np.float64) for y in (q, k, v)]
    scores = wide[0] @ wide[1].swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    return (softmax(scores) @ wide[2]).astype(q.dtype)
