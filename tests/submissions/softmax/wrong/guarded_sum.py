# backend: numpy
# mistake: softmax-epsilon
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / (e.sum(axis=-1, keepdims=True) + x.dtype.type(1e-3))
