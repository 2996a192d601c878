# backend: numpy
# mistake: softmax-global
# style: plain
import numpy as np

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / np.sum(e)
