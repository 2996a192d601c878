# backend: numpy
# mistake: softmax-underflow
import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / np.sum(e, axis=-1, keepdims=True)
