# backend: numpy
# mistake: softmax-of-negative
import numpy as np


def softmax(x):
    shifted = x.min(axis=-1, keepdims=True) - x
    e = np.exp(shifted)
    return e / e.sum(axis=-1, keepdims=True)
