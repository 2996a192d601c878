# backend: numpy
# mistake: softmax-clamped
import numpy as np


def softmax(x):
    e = np.exp(np.clip(x, -50, 50))
    return e / e.sum(-1, keepdims=True)
