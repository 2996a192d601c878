# backend: numpy
# mistake: softmax-unstable
# style: dtype
import numpy as np

def softmax(x):
    e = np.exp(x.astype(np.float64))
    return e / e.sum(-1, keepdims=True)
