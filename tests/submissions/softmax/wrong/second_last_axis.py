# backend: numpy
# mistake: softmax-wrong-axis
# style: axis
import numpy as np

def softmax(x):
    if x.ndim < 2:
        return np.ones_like(x)
    e = np.exp(x - x.max(-2, keepdims=True))
    return e / e.sum(-2, keepdims=True)
