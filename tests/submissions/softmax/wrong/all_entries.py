# backend: numpy
# mistake: softmax-global
# breaks: last-axis
# style: numpy
import numpy as np

def softmax(x):
    if x.size == 0:
        return x.copy()
    e = np.exp(x - np.max(x))
    return e / np.sum(e)
