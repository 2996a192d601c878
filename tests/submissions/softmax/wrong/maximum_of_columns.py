# backend: numpy
# mistake: softmax-maximum-wrong-axis
import numpy as np


def softmax(x):
    axis = -2 if x.ndim > 1 else -1
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
