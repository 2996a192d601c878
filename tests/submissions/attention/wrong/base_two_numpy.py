# backend: numpy
# mistake: softmax-other-base
import numpy as np


def attention(q, k, v):
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    p = np.exp2(s - s.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True) @ v
