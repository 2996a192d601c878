# backend: numpy
# mistake: softmax-divided-by-count
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / x.shape[-1]
